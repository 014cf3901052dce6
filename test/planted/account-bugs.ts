import type { Bug } from './bug.ts'

const alerts = 'src/server/work/connections/alert-owners.test.ts'
const factor = 'src/server/api/account/second-factor.test.ts'
const calls = 'src/server/providers/identity/second-factor-calls.ts'
const rules = 'src/server/providers/identity/second-factor.ts'

/** Holes in what a person does with the own account. */
export const accountBugs: readonly Bug[] = [
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
    name: 'a mail at every look while a connection is dead',
    file: 'src/server/work/connections/alert-owners.ts',
    text: 'if (isConsequence || told.includes(kind)) continue',
    replacement: 'if (told.includes(kind)) await endAlert(tenant, kind, deps.now())',
    caughtBy: [alerts, 'tells of a dead connection once'],
  },
  {
    name: 'mails about syncs that failed because of a connection that works again',
    file: 'src/server/work/connections/alert-owners.ts',
    text: "told.includes('sync') ? null : await findConnectionsOverAt(tenant)",
    replacement: 'null',
    caughtBy: [alerts, 'tells of syncs that fail for an hour'],
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
]
