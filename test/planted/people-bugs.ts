import type { Bug } from './bug.ts'

const account = 'src/server/api/account.test.ts'
const signIn = 'src/server/api/sign-in.test.ts'
const signUps = 'src/server/providers/identity/sign-ups.test.ts'
const model = 'src/server/work/membership-model.test.ts'
const rules = 'src/domain/membership.test.ts'
const consent = 'src/server/work/connect-crm.test.ts'

/** Holes in sign-in, in who may join what, and in the consent of HubSpot. */
export const peopleBugs: readonly Bug[] = [
  {
    name: "the hosted provider's tokens kept",
    file: 'src/server/providers/identity/create-auth.ts',
    text: 'accessToken: null, refreshToken: null, idToken: null',
    replacement: 'accessToken: null',
    caughtBy: ['e2e/oidc.test.ts', 'keeps none of the tokens'],
  },
  {
    name: 'an unverified address that founds an organization',
    file: 'src/server/work/create-organization.ts',
    text: `if (!founder.emailVerified) throw new Refusal('forbidden', 'Verify your e-mail address first.')`,
    replacement: '',
    caughtBy: [model, 'the database follows the model'],
  },
  {
    name: 'an unverified address that joins by invitation',
    file: 'src/server/work/join-organization.ts',
    text: 'return emailVerified ? canonicalEmail(email) : null',
    replacement: 'return canonicalEmail(email)',
    caughtBy: [model, 'nobody joins by an address that is not verified'],
  },
  {
    name: 'an address that the hosted provider has not verified',
    file: 'src/server/providers/identity/hosted-identity.ts',
    text: `told.email_verified === true || told.email_verified === 'true'`,
    replacement: 'true',
    caughtBy: ['e2e/oidc.test.ts', 'refuses an address that the provider has not verified'],
  },
  {
    name: 'a second organization of one domain',
    file: 'src/server/store/organizations.ts',
    text: 'if (wanted.domain !== null && !(await claimDomain(transaction, wanted.domain, id))) {',
    replacement: 'if (false) {',
    caughtBy: [account, 'is refused to the second user'],
  },
  {
    name: 'a subdomain taken for a domain of its own',
    file: 'src/server/work/email-domain.ts',
    text: 'return getDomain(host, { allowPrivateDomains: true })',
    replacement: 'return host',
    caughtBy: [account, 'is refused to the second user'],
  },
  {
    name: 'a list of our customers, asked domain by domain',
    file: 'src/server/api/account.ts',
    text: 'if (!emailVerified || canonicalHost(body.emailDomain) !== emailHost(email)) {',
    replacement: 'if (!emailVerified) {',
    caughtBy: [account, 'tells a caller only of their own'],
  },
  {
    name: 'an invitation that is good twice',
    file: 'src/server/store/invitations.ts',
    text: `.set({ status: 'accepted' })`,
    replacement: `.set({ status: 'pending' })`,
    caughtBy: [account, 'is accepted once'],
  },
  {
    name: 'an invitation that never ends',
    file: 'src/server/store/invitations.ts',
    text: `    .where('expiresAt', '>', sql<Date>\`current_timestamp\`)\n    .returning('role')`,
    replacement: `    .returning('role')`,
    caughtBy: [account, 'opens nothing once it is too old'],
  },
  {
    name: 'an organization left by its last owner',
    file: 'src/domain/membership.ts',
    text: `if (target.role !== 'owner' || role === 'owner') return false`,
    replacement: 'return false',
    caughtBy: [rules, ''],
  },
  {
    name: 'an owner unmade by an admin',
    file: 'src/domain/membership.ts',
    text: `return actor.role === 'admin' && target.role !== 'owner' && role !== 'owner'`,
    replacement: `return actor.role === 'admin'`,
    caughtBy: [rules, ''],
  },
  {
    name: 'two owners who leave at once',
    file: 'src/server/work/change-members.ts',
    text: 'await lockMembership(tenant)',
    replacement: '',
    caughtBy: [model, 'two at once come out as one after the other'],
  },
  {
    name: 'the token of a session kept over a switch of organization',
    file: 'src/server/providers/identity/session-rotation.ts',
    text: 'const token = generateRandomString(tokenLength)',
    replacement: 'const token = found.session.token',
    caughtBy: [signIn, 'gets another token with another organization'],
  },
  {
    name: 'the earlier session left alive by a sign-in',
    file: 'src/server/providers/identity/hooks.ts',
    text: 'await ctx.context.internalAdapter.deleteSession(earlier)',
    replacement: '',
    caughtBy: [signIn, 'is another after each sign-in'],
  },
  {
    name: 'a mailed link that signs anyone in',
    file: 'src/server/providers/identity/sign-ups.ts',
    text: 'if (!isItsBrowser) {',
    replacement: 'if (false) {',
    caughtBy: [signIn, 'signs in the browser that signed up and no other'],
  },
  {
    name: 'the first password kept for whoever proves the address',
    file: 'src/server/store/sign-ups.ts',
    text: "conflict.column('email').doUpdateSet(kept))",
    replacement:
      "conflict.column('email').doUpdateSet({ link_hash: signUp.linkHash, browser_hash: signUp.browserHash }))",
    caughtBy: [signUps, "of a stranger leaves nothing of the stranger's"],
  },
  {
    name: 'what stood under an unproven address kept',
    file: 'src/server/store/sign-ups.ts',
    text: "await transaction.deleteFrom('account').where('userId', '=', user.id).execute()",
    replacement: '',
    caughtBy: [signUps, 'takes the place of an account that was never proven'],
  },
  {
    name: 'the password of a proven account replaced by a link',
    file: 'src/server/store/sign-ups.ts',
    text: ".where('user.emailVerified', '=', false),",
    replacement: '',
    caughtBy: [signUps, 'never replaces the password of an address that was proven meanwhile'],
  },
  {
    name: 'a link of a sign-up kept as it was given out',
    file: 'src/server/providers/identity/sign-ups.ts',
    text: "return createHash('sha256').update(token).digest('base64url')",
    replacement: 'return token',
    caughtBy: [signUps, 'keeps neither link nor cookie'],
  },
  {
    name: 'links of sign-ups left alive on the day on which everything is revoked',
    file: 'src/server/store/revocation.ts',
    text: "const signUps = await transaction.deleteFrom('sign_ups').executeTakeFirst()",
    replacement: 'const signUps = { numDeletedRows: 0n }',
    caughtBy: ['src/server/work/revoke-all.test.ts', 'no link of a mail lets anyone in'],
  },
  {
    name: 'weak passwords taken',
    file: 'src/server/providers/identity/hooks.ts',
    text: `if (weakness !== null) throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message: weakness })`,
    replacement: '',
    caughtBy: [signIn, 'is refused'],
  },
  {
    name: 'guesses without end',
    file: 'src/server/store/attempt-budgets.ts',
    text: 'return row.used <= budget.max ? 0 : Math.max(1, row.waitSeconds)',
    replacement: 'return 0',
    caughtBy: [signIn, 'at one account from one place end after ten'],
  },
  {
    name: 'a budget for each of the addresses that one customer has',
    file: 'src/server/providers/identity/network.ts',
    text: 'const groupsOfNetwork = 4',
    replacement: 'const groupsOfNetwork = 8',
    caughtBy: [signIn, 'of one network of IPv6 count together'],
  },
  {
    name: 'the whole library reachable',
    file: 'src/server/providers/identity/paths.ts',
    text: 'servedCalls.has(`${method} ${path}`) ||',
    replacement: 'true ||',
    caughtBy: ['src/server/identity-route.test.ts', 'of the library that nobody needs'],
  },
  {
    name: 'the state of a consent unchecked',
    file: 'src/server/work/connect-crm.ts',
    text: 'const isOurs = kept?.userId === connector.userId && kept.sessionId === connector.sessionId',
    replacement: 'const isOurs = kept !== undefined',
    caughtBy: [consent, 'is refused for another'],
  },
  {
    name: 'the state of a consent good for ever',
    file: 'src/server/work/connect-crm.ts',
    text: ' || kept.expiresAt <= deps.now()) return undefined',
    replacement: ') return undefined',
    caughtBy: [consent, 'is refused after ten minutes'],
  },
  {
    name: 'the state of a consent kept as it was given out',
    file: 'src/server/work/connect-crm.ts',
    text: `return createHash('sha256').update(state).digest('base64url')`,
    replacement: 'return state',
    caughtBy: [consent, 'is not kept as it was given out'],
  },
]
