import { betterAuth } from 'better-auth'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Seal } from '../../seal.ts'
import { listMemberships } from '../../store/accounts/organizations.ts'
import type { Database } from '../../store/postgres/database.ts'
import { readDatabaseTime } from '../../store/postgres/ping-database.ts'
import type { MailPort } from '../mail.ts'
import { forgiveAccount } from './attempts.ts'
import { noteLogged } from './database-trouble.ts'
import { createDevices } from './devices.ts'
import { afterHook, beforeHook } from './hooks.ts'
import { hostedIdentity } from './hosted-identity.ts'
import { passwordResetMail } from './mails.ts'
import { addressHeader, identityPath } from './paths.ts'
import { sessionRotation } from './session-rotation.ts'
import { signUps } from './sign-ups.ts'
import { passwordMaxLength, passwordMinLength } from './weak-password.ts'

/** Without use a session ends after this long; the database ends it after seven days in any case. */
const idleSeconds = 12 * 3_600
/** Use extends a session, and is seen, no more often than this. */
const extendSeconds = 5 * 60
/** The library's messages repeat what a caller sent. */
const messageMaxLength = 200

export type IdentityOptions = {
  config: Config
  database: Database
  mail: MailPort
  seal: Seal
  log: Log
  now: () => Date
  /** Off only in tests, which sign in a hundred times a minute from one address. */
  isRateLimited?: boolean
  /** Waits so many milliseconds; without it answers take as long as their work. */
  sleep?: (ms: number) => Promise<unknown>
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
    onAPIError: { throw: true, errorURL: `${config.publicUrl}/sign-in` },
    session: {
      expiresIn: idleSeconds,
      updateAge: extendSeconds,
      additionalFields: { activeOrganizationId: { type: 'string', required: false, input: false } },
    },
    user: { validateUserInfo },
    // An address that its owner changes at the provider must not open another person's account here.
    account: { accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    emailAndPassword: {
      enabled: config.oidc === null,
      requireEmailVerification: true,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, url }) => mail.send(passwordResetMail(user.email, url)),
      onPasswordReset: ({ user }, request) =>
        forgiveAccount(database, user.email, request?.headers.get(addressHeader) ?? ''),
    },
    // Whoever reads the database finds no link in it that chooses a new password.
    verification: { storeIdentifier: 'hashed' },
    plugins: [
      sessionRotation(database),
      signUps({ database, mail, publicUrl: config.publicUrl, isHosted: config.oidc !== null }),
      ...(config.oidc === null ? [] : [hostedIdentity(config.oidc)]),
    ],
    hooks: { before: beforeHook(database), after: afterHook(createDevices(options)) },
    databaseHooks: {
      // Where a server's own clock is wrong, what is shown of a session and how fresh it is still go by the database's.
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
    // Ours are counted before a call comes here, by account as well; see attempts.ts.
    rateLimit: { enabled: false },
    advanced: {
      // Spelled out, since the library leaves both out where it takes a process for a test.
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

/** Browsers keep a cookie with the longer name to this host and path, over TLS alone. */
export function cookiePrefixOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl.startsWith('https://') ? '__Host-tributary' : 'tributary'
}

/** Its errors and warnings in our log. What it says at lower levels names addresses, and stays out. */
function libraryLogger(log: Log) {
  return {
    level: 'info' as const,
    log: (level: string, message: string, ...details: unknown[]) => {
      const error = details.find((detail) => detail instanceof Error)
      noteLogged(error)
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

/** The hosted provider vouches for the address; one that it has not verified could be anyone's. */
function validateUserInfo({
  user,
  source,
}: {
  user: { emailVerified?: unknown }
  source: { method: string }
}) {
  if (source.method === 'oauth' && user.emailVerified !== true) return { error: 'email_not_verified' }
  return undefined
}

/** The hosted provider's tokens have done their work at the sign-in: nothing of ours asks it anything later. */
async function withoutTokens<Account extends object>(account: Account) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
}

/** Who signs in finds the organization of the oldest membership active. */
async function withFirstOrganization<Session extends { userId: string }>(
  database: Database,
  session: Session,
) {
  const [first] = await listMemberships(database, Number(session.userId))
  return { ...session, activeOrganizationId: first === undefined ? null : String(first.id) }
}

async function begunNow(database: Database): Promise<{ createdAt: Date; updatedAt: Date }> {
  const now = await readDatabaseTime(database)
  return { createdAt: now, updatedAt: now }
}
