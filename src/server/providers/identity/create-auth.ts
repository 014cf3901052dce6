import { betterAuth } from 'better-auth'
import { genericOAuth, organization } from 'better-auth/plugins'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Seal } from '../../seal.ts'
import type { Database } from '../../store/database.ts'
import { listMemberships } from '../../store/organizations.ts'
import type { MailPort } from '../mail.ts'
import { createOrganizationHook } from './create-organization-hook.ts'
import { alreadyRegisteredMail, invitationMail, passwordResetMail, verificationMail } from './mails.ts'
import { addressHeader, identityPath } from './paths.ts'
import { uniformSignUpHook } from './uniform-sign-up-hook.ts'

const passwordMinLength = 8
const week = 7 * 24 * 3600
/** The library's messages repeat what a caller sent. */
const messageMaxLength = 200

export type IdentityOptions = {
  config: Config
  database: Database
  mail: MailPort
  seal: Seal
  log: Log
  /** Off only in tests, which sign in a hundred times a minute from one address. */
  isRateLimited?: boolean
}

/** The identity library on our database, with our rules where it leaves them open. */
export function createAuth(options: IdentityOptions) {
  const { config, database, mail, log } = options
  const isHttps = config.publicUrl.startsWith('https://')
  return betterAuth({
    appName: 'Tributary',
    baseURL: config.publicUrl,
    basePath: identityPath,
    secret: options.seal.derive('identity'),
    database: { db: database, type: 'postgres', transaction: true },
    trustedOrigins: trustedOrigins(config.publicUrl),
    telemetry: { enabled: false },
    logger: libraryLogger(log),
    // What it does not expect is answered and logged in our one place for that, not on the console.
    onAPIError: { throw: true },
    session: { expiresIn: week },
    // An address that its owner changes at the provider must not open another person's account here.
    account: { accountLinking: { enabled: false } },
    emailAndPassword: {
      enabled: config.oidc === null,
      requireEmailVerification: true,
      minPasswordLength: passwordMinLength,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, url }) => mail.send(passwordResetMail(user.email, url)),
      onExistingUserSignUp: ({ user }) =>
        mail.send(alreadyRegisteredMail(user.email, `${config.publicUrl}/sign-in`)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      sendVerificationEmail: ({ user, url }) => mail.send(verificationMail(user.email, url)),
    },
    plugins: [organizations(config, mail), ...hostedIdentity(config)],
    hooks: { before: createOrganizationHook(database), after: uniformSignUpHook },
    databaseHooks: { session: { create: { before: (session) => withFirstOrganization(database, session) } } },
    rateLimit: {
      enabled: options.isRateLimited ?? true,
      storage: 'database',
      window: 60,
      max: 300,
      customRules: rateLimits,
    },
    advanced: {
      // Spelled out, since the library leaves both out where it takes a process for a test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: 'serial' },
      cookiePrefix: isHttps ? '__Host-tributary' : 'tributary',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
  })
}

/** Calls per minute and address of the paths at which guessing or flooding would pay. */
const rateLimits = {
  '/sign-in/email': { window: 60, max: 30 },
  '/sign-up/email': { window: 60, max: 20 },
  '/request-password-reset': { window: 60, max: 10 },
  '/send-verification-email': { window: 60, max: 10 },
  '/organization/invite-member': { window: 60, max: 30 },
}

/** Its errors and warnings in our log. What it says at lower levels names addresses, and stays out. */
function libraryLogger(log: Log) {
  return {
    level: 'info' as const,
    log: (level: string, message: string, ...details: unknown[]) => {
      const error = details.find((detail) => detail instanceof Error)
      const line = `identity: ${message.slice(0, messageMaxLength)}`
      if (level === 'error') log.error({ error }, line)
      else if (level === 'warn') log.warn(line)
    },
  }
}

function trustedOrigins(publicUrl: string): string[] {
  const { origin, hostname } = new URL(publicUrl)
  return hostname === 'localhost' ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}

function organizations(config: Config, mail: MailPort) {
  return organization({
    // Ours is the only way to a new organization; see the hook.
    allowUserToCreateOrganization: false,
    disableOrganizationDeletion: true,
    requireEmailVerificationOnInvitation: true,
    cancelPendingInvitationsOnReInvite: true,
    sendInvitationEmail: ({ id, email, organization: { name } }) =>
      mail.send(
        invitationMail(email, {
          organization: name,
          link: `${config.publicUrl}/org-selection?${new URLSearchParams({ invitationId: id })}`,
        }),
      ),
  })
}

function hostedIdentity({ oidc }: Config) {
  if (oidc === null) return []
  return [
    genericOAuth({
      config: [
        {
          providerId: 'oidc',
          discoveryUrl: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
          clientId: oidc.clientId,
          clientSecret: oidc.clientSecret,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
        },
      ],
    }),
  ]
}

/** Who signs in finds the organization of the oldest membership active. */
async function withFirstOrganization<Session extends { userId: string }>(
  database: Database,
  session: Session,
) {
  const [first] = await listMemberships(database, Number(session.userId))
  return { data: { ...session, activeOrganizationId: first === undefined ? null : String(first.id) } }
}
