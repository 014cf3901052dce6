import { createHash } from 'node:crypto'
import { Refusal } from '../../refusal.ts'
import { type Budget, refreshBudget, spendAttempt } from '../../store/attempt-budgets.ts'
import type { Database } from '../../store/database.ts'
import { hasSessionFrom } from '../../store/sessions.ts'
import { networkOf } from './network.ts'

const minute = 60
const hour = 3_600
const day = 86_400

/** Attempts per account at which guessing would pay: in all fewer than a hundred a day. */
const perAccount = { max: 90, windowSeconds: day }
const perAccountAndNetwork = { max: 10, windowSeconds: 15 * minute }
/** Mail that a stranger can have sent to one address. */
const mailsPerAddress = { max: 5, windowSeconds: hour }
const perNetwork = { max: 30, windowSeconds: minute }
/** Hashing a password is slow by design; this many a minute keep one machine busy. */
const altogether = { max: 600, windowSeconds: minute }

const mailing = ['/sign-up/email', '/request-password-reset', '/send-verification-email']
const guarded = ['/sign-in/email', '/reset-password', '/change-password', '/update-user', ...mailing]

export type Attempt = { path: string; email: string | null; address: string }

/**
 * Counts an attempt against every budget that it draws on and refuses it where one is empty. Budgets are counted by
 * what was typed, whether or not there is such an account, so that a refusal tells nothing.
 */
export async function requireBudget(database: Database, attempt: Attempt): Promise<void> {
  if (!guarded.includes(attempt.path)) return
  for (const budget of await budgetsOf(database, attempt)) {
    const waitSeconds = await spendAttempt(database, budget)
    if (waitSeconds > 0) {
      throw new Refusal(
        'rate_limited',
        `Too many attempts. Try again in ${inWords(waitSeconds)}.`,
        waitSeconds,
      )
    }
  }
}

/** To call after the right password: what was mistyped before is forgotten for this network. */
export function forgiveAttempts(database: Database, { email, address }: Attempt): Promise<void> {
  return refreshBudget(database, pairKey(email ?? '', address))
}

async function budgetsOf(database: Database, { path, email, address }: Attempt): Promise<Budget[]> {
  const network = networkOf(address)
  const budgets: Budget[] = [
    { key: `network:${path}:${network}`, ...perNetwork },
    { key: `all:${path}`, ...altogether },
  ]
  if (email === null) return budgets
  if (mailing.includes(path)) return [...budgets, { key: `mail:${path}:${hash(email)}`, ...mailsPerAddress }]
  if (path !== '/sign-in/email') return budgets
  budgets.push({ key: pairKey(email, address), ...perAccountAndNetwork })
  // Whoever guesses from elsewhere must not lock the owner out of a place where they are signed in.
  const isKnownPlace = address !== '' && (await hasSessionFrom(database, email, address))
  return isKnownPlace ? budgets : [...budgets, { key: `account:${hash(email)}`, ...perAccount }]
}

function pairKey(email: string, address: string): string {
  return `pair:${hash(`${email} ${networkOf(address)}`)}`
}

/** What people type as an address is nothing to keep. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function inWords(seconds: number): string {
  if (seconds < 2 * minute) return `${seconds} seconds`
  return seconds < 2 * hour ? `${Math.ceil(seconds / minute)} minutes` : `${Math.ceil(seconds / hour)} hours`
}
