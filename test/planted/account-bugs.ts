import type { Bug } from './bug.ts'

const alerts = 'src/server/work/connections/alert-owners.test.ts'
const change = 'src/server/api/account/email-change.test.ts'
const looks = 'src/server/api/account/email-change-look.test.ts'
const changes = 'src/server/providers/identity/email-changes.ts'
const factor = 'src/server/api/account/second-factor.test.ts'
const calls = 'src/server/providers/identity/second-factor-calls.ts'
const own = 'src/server/providers/identity/own-account.test.ts'
const rules = 'src/server/providers/identity/second-factor.ts'

/** Holes in what a person does with the own account, and in the words and the focus on the way to it. */
export const accountBugs: readonly Bug[] = [
  {
    name: 'a name that turns the address beside it',
    file: 'src/server/plain-name.ts',
    text: ".replace(unseen, '')",
    replacement: '',
    caughtBy: [own, 'that hides or turns what stands beside it'],
  },
  {
    name: 'a sign-up that drops the invitation',
    file: 'src/web/screens/sign-up/sign-up-screen.tsx',
    text: 'next={invitedChoice(token)}',
    replacement: 'next={invitedChoice(token).slice(0, 0) || paths.setup}',
    caughtBy: ['e2e/invitation-mail.test.ts', 'opens the organization to whom'],
  },
  {
    name: 'a word that texts for people avoid',
    file: 'src/web/screens/sign-in/sign-in-problem.ts',
    text: 'The sign-in was canceled.',
    replacement: 'The log in was cancelled.',
    caughtBy: ['test/words.test.ts', 'are plain, and use one word for one thing'],
  },
  {
    name: 'a keyboard that loses its place where a step of the wizard changes',
    file: 'src/web/screens/setup/step-frame.tsx',
    text: '<Stack ref={frame}>',
    replacement: '<Stack>',
    caughtBy: ['e2e/screens/keyboard.test.ts', 'starts in the first field'],
  },
  {
    name: 'a focus that stays with a toast that is gone',
    file: 'src/web/ui/toast.tsx',
    text: 'if (!isOpen && hadFocus && isLost && before.current?.isConnected) before.current.focus()',
    replacement: 'if (isLost) document.body.focus()',
    caughtBy: ['e2e/screens/keyboard.test.ts', 'comes back from the toast'],
  },
  {
    name: 'an address in use that a missing mail tells of',
    file: changes,
    text: "    const link = await openLink(ctx, options, id, { step: 'old', from, to })",
    replacement: `    if (await findUserByEmail(options.database, to)) return ctx.json({ sentTo: 'old' })
    const link = await openLink(ctx, options, id, { step: 'old', from, to })`,
    caughtBy: [change, 'tells nobody whether an address is in use'],
  },
  {
    name: 'a link of another person that changes the own address',
    file: changes,
    text: 'return `change-email:${userId}`',
    replacement: 'return `change-email:${userId.slice(0, 0)}`',
    caughtBy: [change, 'counts its links only in a browser of the account'],
  },
  {
    name: 'a change of email that is told for a wrong link',
    file: changes,
    text: 'if (!found || !change || found.expiresAt',
    replacement: `const told = found && openChange.parse(JSON.parse(found.value))
    if (told && !change) return ctx.json({ step: told.step, from: told.from, to: told.to })
    if (!found || !change || found.expiresAt`,
    caughtBy: [looks, 'a change of email is told to the holder of a link'],
  },
  {
    name: 'a change of email that is told after its hour',
    file: changes,
    text: ' || found.expiresAt <= (await readDatabaseTime(database))',
    replacement: ' || database === null',
    caughtBy: [looks, 'a change of email is told to the holder of a link'],
  },
  {
    name: 'a link that changes the address without the mailbox of the new one',
    file: changes,
    text: "if (change.step === 'new') {",
    replacement: "if (change.step !== 'new' || change.to) {",
    caughtBy: [change, 'needs the old address, then the new one'],
  },
  {
    name: 'a change of email begun without the password',
    file: 'src/server/providers/identity/create-identity.ts',
    text: 'if (path === emailChangePath && options.config.oidc === null)',
    replacement: 'if (path === "")',
    caughtBy: [change, 'is not begun without the password'],
  },
  {
    name: 'a link that outlives the password it was mailed for',
    file: 'src/server/providers/identity/create-auth.ts',
    text: 'await endBegunSignIns(database, Number(user.id))',
    replacement: '',
    caughtBy: [own, 'ends the links that were mailed before'],
  },
  {
    name: 'a sign-in that outlives a changed password',
    file: 'src/server/providers/identity/hooks.ts',
    text: "if (ctx.path === '/change-password') await endBegunSignIns(database, Number(begun.user.id))",
    replacement: '',
    caughtBy: [own, 'ends sign-ins that wait for a code'],
  },
  {
    name: 'an address of another account taken over',
    file: 'src/server/store/accounts/change-address.ts',
    text: 'if (numUpdatedRows === 0n) return false',
    replacement: 'if (numUpdatedRows === 0n) return true',
    caughtBy: [change, 'takes none over'],
  },
  {
    name: 'an address taken at the same moment that is told as a failure of ours',
    file: 'src/server/store/accounts/change-address.ts',
    text: 'if (errorCodeOf(error) === uniqueViolation) return false',
    replacement: '',
    caughtBy: [change, 'refuses an address that somebody signs up with'],
  },
  {
    name: 'a change of email of which the old mailbox may never hear',
    file: changes,
    text: 'addToOutbox(transaction, emailChangedMail(from, to, publicUrl))',
    replacement: 'Promise.resolve()',
    caughtBy: [change, 'is made only if its notice'],
  },
  {
    name: 'sessions that outlive the address that they began with',
    file: 'src/server/store/accounts/change-address.ts',
    text: 'if (sessionId !== null) await',
    replacement: 'if (sessionId === 0) await',
    caughtBy: [change, 'ends other sessions and the links'],
  },
  {
    name: 'a reset link in the old mailbox that opens the account',
    file: 'src/server/store/accounts/change-address.ts',
    text: '    await endBegunSignIns(transaction, userId)\n',
    replacement: '',
    caughtBy: [change, 'ends other sessions and the links'],
  },
  {
    name: 'mails about changes without an end',
    file: changes,
    text: 'if (options.isRateLimited) await requireBudget(options.database, id, to)',
    replacement: '',
    caughtBy: [change, 'are five an hour for a person'],
  },
  {
    name: 'an earlier address that stays in the log of a deleted account',
    file: 'src/server/store/erasure/deletions.ts',
    text: 'where user_id = ${id} and not exists',
    replacement: 'where user_id = -${id} and not exists',
    caughtBy: [change, 'leaves nothing of the old address'],
  },
  {
    name: 'a second factor that the sign-in does not ask for',
    file: 'src/server/providers/identity/create-auth.ts',
    text: '      secondFactor(),\n',
    replacement: '      { ...secondFactor(), hooks: {} },\n',
    caughtBy: [factor, 'is asked for after the password'],
  },
  {
    name: 'a browser known by the password alone',
    file: 'src/server/providers/identity/hooks.ts',
    text: "if (ctx.path === '/sign-in/email' && begun?.user['twoFactorEnabled']) return",
    replacement: '',
    caughtBy: [factor, 'is asked for after the password'],
  },
  {
    name: 'codes without a budget',
    file: rules,
    text: 'if (userId !== null && isRateLimited) await requireBudget(database, userId, code)',
    replacement: '',
    caughtBy: [factor, 'are taken once, and wrong ones only ten times'],
  },
  {
    name: 'recovery codes that a reader of the database can use',
    file: rules,
    text: 'JSON.stringify((JSON.parse(list) as string[]).map(hashOf))',
    replacement: 'list',
    caughtBy: [factor, 'takes each recovery code once'],
  },
  {
    name: 'a second factor turned off by the password alone',
    file: calls,
    text: 'if (codePaths.includes(path) && person !== null)',
    replacement: 'if (path === "")',
    caughtBy: [factor, 'is turned off, and its recovery codes renewed'],
  },
  {
    name: 'sessions of the password alone that outlive the second factor',
    file: calls,
    text: "if (deed === 'second_factor_on') await endOthers(options, found, answer)",
    replacement: '',
    caughtBy: [factor, 'ends the sessions that began by the password alone'],
  },
  {
    name: 'a code spent by a wrong password',
    file: calls,
    text: "if (!(await options.isPassword(headers, String(body['password']))))",
    replacement: 'if (body === null)',
    caughtBy: [factor, 'asks for the password before it spends a code'],
  },
  {
    name: 'second factors lost with the oldest sealing key',
    file: 'src/server/providers/identity/rotate-second-factors.ts',
    text: 'currentVersion: seal.version',
    replacement: 'currentVersion: Math.min(...keys.keys())',
    caughtBy: [factor, 'go on after the sealing key was rotated'],
  },
  {
    name: 'a hosted address that stays what it was at the first sign-in',
    file: 'src/server/providers/identity/create-auth.ts',
    text: "source.action === 'sign-in' && user.id !== undefined",
    replacement: "source.action === 'sign-in' && user.id === undefined",
    caughtBy: [
      'src/server/providers/identity/verified-address.test.ts',
      'follows the address that the provider names later',
    ],
  },
  {
    name: 'the mail of a withdrawn invitation',
    file: 'src/server/store/accounts/invitations.ts',
    text: 'cancelled === undefined ? [] : [cancelled.id]',
    replacement: '[]',
    caughtBy: [
      'src/server/api/organization/invitation-budgets.test.ts',
      'an invitation that is withdrawn while its mail waits',
    ],
  },
  {
    name: 'a code refused as the app shows it',
    file: 'src/server/providers/identity/bodies.ts',
    text: '[\\s-]+(',
    replacement: '(',
    caughtBy: [factor, 'with a space in the middle'],
  },
  {
    name: 'a mail at every look while a connection is dead',
    file: 'src/server/work/connections/alert-owners.ts',
    text: 'if (isConsequence || told.includes(kind)) continue',
    replacement: 'if (told.includes(kind)) await endAlert(tenant, kind, deps.now())',
    caughtBy: [alerts, 'tells of a dead connection once'],
  },
  {
    name: 'mails about syncs that failed because of a connection that works again',
    file: 'src/server/work/connections/alert-owners.ts',
    text: 'Math.max(connectedAt.getTime(), overAt)',
    replacement: 'connectedAt.getTime()',
    caughtBy: [alerts, 'tells of syncs that fail for an hour'],
  },
  {
    name: 'syncs that fail beside imports that succeed, of which nobody hears',
    file: 'src/server/store/runs/failing-since.ts',
    text: ".where('good.kind', '=', kind),",
    replacement: ".where('good.kind', 'in', ['import', 'push']),",
    caughtBy: [alerts, 'tells of syncs that fail although each import'],
  },
  {
    name: 'syncs that wait for HubSpot for a day, of which nobody hears',
    file: 'src/server/store/runs/failing-since.ts',
    text: " or options ->> 'displaced' = 'waiting'",
    replacement: '',
    caughtBy: [alerts, 'tells of syncs that wait for HubSpot'],
  },
  {
    name: 'good news about a connection that a person ended',
    file: 'src/server/work/connections/alert-owners.ts',
    text: ' && !isGone)',
    replacement: ')',
    caughtBy: [alerts, 'does not say that a connection works again'],
  },
  {
    name: 'mail to owners who turned it off',
    file: 'src/server/store/accounts/alerts.ts',
    text: "    .where('member.wantsAlerts', '=', true)\n",
    replacement: '',
    caughtBy: [alerts, 'tells nobody who turned it off'],
  },
  {
    name: 'an activity of one person that is that of all',
    file: 'src/server/store/accounts/audit-list.ts',
    text: '...(personId === undefined ? [] : [isOf(e, personId)]),',
    replacement: '',
    caughtBy: ['src/server/api/organization/audit.test.ts', 'keep what a person did together'],
  },
]
