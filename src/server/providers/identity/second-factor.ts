import { createHash, randomInt } from 'node:crypto'
import { APIError, type BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins'
import { waitInWords } from '../../refusal.ts'
import { hashOfAddress, refreshBudget, spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import type { Database } from '../../store/postgres/database.ts'

/** The time in which a password must be followed by a code. */
const challengeSeconds = 600
/** Wrong codes in a row, and in a day: a guesser of six digits has a chance of 1 in 7,000 a day at most. */
const perQuarter = { max: 10, windowSeconds: 900 }
const perDay = { max: 50, windowSeconds: 86_400 }
/** A code is accepted for one step before and after its own. */
const codeSeconds = 90

const recoveryCodes = { amount: 10, parts: 4, partLength: 4 }
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const hashPrefix = 'sha256:'

export const verifyPaths = {
  app: '/two-factor/verify-totp',
  recovery: '/two-factor/verify-backup-code',
} as const

/**
 * The identity library's second factor: codes of an authenticator app, and recovery codes. The library encrypts the
 * app's secret. We keep only hashes of the recovery codes, which are long enough that nobody can try them all.
 */
export function secondFactor() {
  return twoFactor({
    issuer: 'Tributary',
    twoFactorCookieMaxAge: challengeSeconds,
    backupCodeOptions: {
      amount: recoveryCodes.amount,
      customBackupCodesGenerate: newRecoveryCodes,
      storeBackupCodes: {
        encrypt: async (list) => JSON.stringify((JSON.parse(list) as string[]).map(hashOf)),
        decrypt: async (list) => list,
      },
    },
    // Our own budgets count attempts, in every process and before the library sees them.
    accountLockout: { enabled: false },
  })
}

type GuardOptions = { database: Database; isRateLimited: boolean }

/** Counts codes against the budget of their person, and refuses a code that was used already. */
export function secondFactorGuard({ database, isRateLimited }: GuardOptions) {
  const isCode = ({ path }: { path?: string }) => path === verifyPaths.app || path === verifyPaths.recovery
  return {
    id: 'second-factor-guard',
    hooks: {
      before: [
        {
          matcher: isCode,
          handler: createAuthMiddleware(async (ctx) => {
            const code = String(ctx.body?.code)
            const userId = await findPerson(ctx)
            if (userId !== null && isRateLimited) await requireBudget(database, userId, code)
            if (ctx.path === verifyPaths.recovery)
              return { context: { ...ctx, body: { ...ctx.body, code: hashOf(spellingOf(code)) } } }
            return undefined
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

type GuardContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The signed-in person, or the one whose password was right before. */
async function findPerson(ctx: GuardContext): Promise<string | null> {
  const found = await getSessionFromCtx(ctx)
  if (found !== null) return found.user.id
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!challenge) return null
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null
}

async function requireBudget(database: Database, userId: string, code: string): Promise<void> {
  for (const budget of [
    { key: factorKey(userId), ...perQuarter },
    { key: `${factorKey(userId)}:day`, ...perDay },
  ]) {
    const waitSeconds = await spendAttempt(database, budget)
    if (waitSeconds > 0) {
      throw new APIError('TOO_MANY_REQUESTS', {
        code: 'TOO_MANY_CODES',
        message: `Too many codes were tried. Try again in ${waitInWords(waitSeconds)}.`,
      })
    }
  }
  const key = `${factorKey(userId)}:${hashOfAddress(code)}`
  if ((await spendAttempt(database, { key, max: 1, windowSeconds: codeSeconds })) === 0) return
  throw new APIError('BAD_REQUEST', {
    code: 'CODE_USED',
    message: 'This code was tried already. Wait for the next one.',
  })
}

/** Call after a right code: earlier wrong ones no longer count. The budget of the day remains. */
export async function forgiveCodes(database: Database, userId: string): Promise<void> {
  await refreshBudget(database, factorKey(userId))
}

function factorKey(userId: string): string {
  return `factor:${userId}`
}

/** Each has 79 bits of chance. */
function newRecoveryCodes(): string[] {
  const { amount, parts, partLength } = recoveryCodes
  const part = () => Array.from({ length: partLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: amount }, () => Array.from({ length: parts }, part).join('-'))
}

/** People type codes in capitals, with spaces, or without hyphens. */
function spellingOf(code: string): string {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return letters.match(/.{1,4}/g)?.join('-') ?? ''
}

/** The library stores the remaining codes again after each use; they are hashes already. */
function hashOf(code: string): string {
  if (code.startsWith(hashPrefix)) return code
  return `${hashPrefix}${createHash('sha256').update(code).digest('base64url')}`
}
