import { betterAuth } from 'better-auth'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Seal } from '../../seal.ts'
import { listMemberships } from '../../store/accounts/organizations.ts'
import { endBegunSignIns } from '../../store/accounts/sessions.ts'
import type { Database } from '../../store/postgres/database.ts'
import { readDatabaseTime } from '../../store/postgres/ping-database.ts'
import type { MailPort } from '../mail.ts'
import { forgiveAccount } from './attempts.ts'
import { demoDoor } from './demo-door.ts'
import { createDevices } from './devices.ts'
import { emailChanges } from './email-changes.ts'
import { afterHook, beforeHook } from './hooks.ts'
import { followHostedAddress } from './hosted-address.ts'
import { hostedIdentity } from './hosted-identity.ts'
import { libraryLog } from './library-log.ts'
import { passwordResetMail } from './mails.ts'
import { addressHeader, identityPath } from './paths.ts'
import { secondFactor, secondFactorGuard } from './second-factor.ts'
import { sessionRotation } from './session-rotation.ts'
import { signUps } from './sign-ups.ts'
import { passwordMaxLength, passwordMinLength } from './weak-password.ts'

/** A session ends after this time without use; the database ends it after seven days in any case. */
const idleSeconds = 12 * 3_600
/** Use extends a session, and updates the time of its last use, at most this often. */
const extendSeconds = 5 * 60

export type IdentityOptions = {
  config: Config
  database: Database
  mail: MailPort
  seal: Seal
  log: Log
  now: () => Date
  /** Off only in tests, which sign in a hundred times a minute from one address. */
  isRateLimited?: boolean
  /** Waits this many milliseconds. Without it, the time of an answer depends on its work. */
  sleep?: (ms: number) => Promise<unknown>
}

/** The identity library on our database, with our rules where the library leaves a choice. */
export function createAuth(options: IdentityOptions) {
  const { config, database, mail, log } = options
  const isHttps = config.publicUrl.startsWith('https://')
  return betterAuth({
    appName: 'Tributary',
    baseURL: config.publicUrl,
    basePath: identityPath,
    secrets: identitySecrets(options.seal),
    database: { db: database, type: 'postgres', transaction: true },
    trustedOrigins: trustedOrigins(config.publicUrl),
    telemetry: { enabled: false },
    logger: libraryLog(log),
    // Our own error handling answers and logs unexpected errors; the library would write them to the console.
    onAPIError: { throw: true, errorURL: `${config.publicUrl}/sign-in` },
    session: {
      expiresIn: idleSeconds,
      updateAge: extendSeconds,
      additionalFields: { activeOrganizationId: { type: 'string', required: false, input: false } },
    },
    user: { validateUserInfo: hostedUserCheck({ database, publicUrl: config.publicUrl }) },
    // An owner who changes the address at the provider must not open another person's account here.
    account: { accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    emailAndPassword: {
      enabled: config.oidc === null,
      requireEmailVerification: true,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, url }) => mail.send(passwordResetMail(user.email, url)),
      onPasswordReset: async ({ user }, request) => {
        await endBegunSignIns(database, Number(user.id))
        await forgiveAccount(database, user.email, request?.headers.get(addressHeader) ?? '')
      },
    },
    // Stored in a form that a reader of the database cannot turn into a link that sets a new password.
    verification: { storeIdentifier: 'hashed' },
    plugins: [
      sessionRotation(database),
      secondFactor(),
      secondFactorGuard({ database, isRateLimited: options.isRateLimited !== false }),
      demoDoor({ config, database }),
      signUps({ database, mail, publicUrl: config.publicUrl, isHosted: config.oidc !== null }),
      emailChanges({
        ...{ database, mail, publicUrl: config.publicUrl, isHosted: config.oidc !== null },
        isRateLimited: options.isRateLimited !== false,
      }),
      ...(config.oidc === null ? [] : [hostedIdentity(config.oidc, log)]),
    ],
    hooks: { before: beforeHook(database), after: afterHook(database, createDevices(options)) },
    databaseHooks: {
      // Even if a server's clock is wrong, the shown times of a session and its age use the database's clock.
      session: {
        create: {
          before: async (session) => ({
            data: {
              ...(await withFirstOrganization(database, session)),
              ...(await begunNow(database)),
            },
          }),
        },
        update: {
          before: async (session) => ({
            data: session.updatedAt ? { ...session, updatedAt: await readDatabaseTime(database) } : session,
          }),
        },
      },
      user: { create: { before: async (user) => ({ data: { ...user, ...(await begunNow(database)) } }) } },
      account: { create: { before: withoutTokens }, update: { before: withoutTokens } },
    },
    // The library would load OpenTelemetry by itself, and write addresses into its spans.
    experimental: { instrumentation: { enabled: false } },
    // Our own limits count before a call reaches the library, also per account; see attempts.ts.
    rateLimit: { enabled: false },
    advanced: {
      // Set explicitly, because the library omits both when it believes that the process is a test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: 'serial' },
      cookiePrefix: cookiePrefixOf(config),
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
  })
}

/**
 * The oldest key of the ring signs and encrypts. Its newer keys open what `tributary rotate-keys` has encrypted again,
 * so that the oldest can be taken out.
 */
export function identitySecrets(seal: Seal): { version: number; value: string }[] {
  return seal.versions.map((version) => ({ version, value: seal.derive('identity', version) }))
}

/** With this longer name, browsers send the cookie only to this host and path, and only over TLS. */
export function cookiePrefixOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl.startsWith('https://') ? '__Host-tributary' : 'tributary'
}

function trustedOrigins(publicUrl: string): string[] {
  const { origin, hostname } = new URL(publicUrl)
  return hostname === 'localhost' ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}

/** The hosted provider confirms the address. An address that it has not verified could belong to anybody. */
function hostedUserCheck(needs: Parameters<typeof followHostedAddress>[0]) {
  return async ({ user, source }: HostedUser) => {
    if (source.method !== 'oauth') return undefined
    if (user.emailVerified !== true) return { error: 'email_not_verified' }
    if (source.action === 'sign-in' && user.id !== undefined && user.email !== undefined)
      await followHostedAddress(needs, Number(user.id), user.email)
    return undefined
  }
}

type HostedUser = {
  user: { id?: unknown; email?: string; emailVerified?: unknown }
  source: { method: string; action: string }
}

/** Tokens of the hosted provider are not stored: after the sign-in we ask it nothing more. */
async function withoutTokens<Account extends object>(account: Account) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
}

/** A new session starts with the organization of the oldest membership, unless it replaces a session. */
async function withFirstOrganization<Session extends { userId: string; activeOrganizationId?: unknown }>(
  database: Database,
  session: Session,
) {
  if (session.activeOrganizationId) return session
  const [first] = await listMemberships(database, Number(session.userId))
  return { ...session, activeOrganizationId: first === undefined ? null : String(first.id) }
}

async function begunNow(database: Database): Promise<{ createdAt: Date; updatedAt: Date }> {
  const now = await readDatabaseTime(database)
  return { createdAt: now, updatedAt: now }
}
