import { Refusal, waitInWords } from '../../refusal.ts'
import {
  type AttemptBudget,
  hashOfAddress as hash,
  hashOfMailbox,
  refreshBudget,
  spendAttempt,
} from '../../store/accounts/attempt-budgets.ts'
import { hasSessionFrom } from '../../store/accounts/sessions.ts'
import type { Database } from '../../store/postgres/database.ts'
import { networkOf } from './network.ts'

const minute = 60
const hour = 3_600
const day = 86_400

/** Attempts per account at which guessing would pay: in all fewer than a hundred a day. */
const perAccount = { max: 90, windowSeconds: day }
const perAccountAndNetwork = { max: 10, windowSeconds: 15 * minute }
/** Mail that strangers can have sent to one address, and so can its known device. */
const mailsPerAddress = { max: 5, windowSeconds: hour }
const perNetwork = { max: 30, windowSeconds: minute }
/** Links of mails and ways back from a hosted sign-in: dearer to answer than to ask. */
const linksPerNetwork = { max: 60, windowSeconds: minute }

const mailing = ['/sign-up/email', '/request-password-reset', '/send-verification-email']
const guarded = [
  '/sign-in/email',
  '/reset-password',
  '/change-password',
  '/update-user',
  '/sign-up/complete',
  ...mailing,
]

export type Attempt = {
  method: string
  path: string
  email: string | null
  address: string
  /** The browser that was signed in with this address before, where it is one. */
  deviceId: string | null
}

/**
 * Counts an attempt against every budget that it draws on and refuses it where one is empty. Budgets are counted by
 * what was typed, whether or not there is such an account, so that a refusal tells nothing.
 */
export async function requireBudget(database: Database, attempt: Attempt): Promise<void> {
  for (const budget of await budgetsOf(database, attempt)) {
    const waitSeconds = await spendAttempt(database, budget)
    if (waitSeconds > 0) {
      throw new Refusal(
        'rate_limited',
        `Too many attempts. Try again in ${waitInWords(waitSeconds)}.`,
        waitSeconds,
      )
    }
  }
}

/** To call after the right password: what was mistyped before is forgotten for this network, or this device. */
export async function forgiveAttempts(
  database: Database,
  { email, address, deviceId }: Attempt,
): Promise<void> {
  await refreshBudget(database, pairKey(email ?? '', address))
  if (deviceId !== null) await refreshBudget(database, deviceKey(deviceId))
}

/** To call when somebody has proven that an address is theirs: what others guessed at it keeps them out no longer. */
export async function forgiveAccount(database: Database, email: string, address: string): Promise<void> {
  await refreshBudget(database, accountKey(email))
  await refreshBudget(database, pairKey(email, address))
}

async function budgetsOf(
  database: Database,
  { method, path, email, address, deviceId }: Attempt,
): Promise<AttemptBudget[]> {
  const network = networkOf(address)
  if (method === 'GET') {
    const [, kind = ''] = path.split('/')
    return [{ key: `network:GET /${kind}:${network}`, ...linksPerNetwork }]
  }
  if (!guarded.includes(path)) return []
  // A device has a budget of its own, which nobody else can use up.
  if (path === '/sign-in/email' && deviceId !== null) {
    return [
      { key: deviceKey(deviceId), ...perAccountAndNetwork },
      { key: `${deviceKey(deviceId)}:day`, ...perAccount },
    ]
  }
  if (mailing.includes(path) && deviceId !== null) {
    return [{ key: `${deviceKey(deviceId)}:${path}`, ...mailsPerAddress }]
  }
  const budgets: AttemptBudget[] = [{ key: `network:${path}:${network}`, ...perNetwork }]
  if (email === null) return budgets
  if (mailing.includes(path))
    return [...budgets, { key: `mail:${path}:${hashOfMailbox(email)}`, ...mailsPerAddress }]
  if (path !== '/sign-in/email') return budgets
  budgets.push({ key: pairKey(email, address), ...perAccountAndNetwork })
  // Whoever guesses from elsewhere must not lock the owner out of a place where they are signed in.
  const isKnownPlace = address !== '' && (await hasSessionFrom(database, email, address))
  return isKnownPlace ? budgets : [...budgets, { key: accountKey(email), ...perAccount }]
}

function pairKey(email: string, address: string): string {
  return `pair:${hash(`${email} ${networkOf(address)}`)}`
}

function accountKey(email: string): string {
  return `account:${hash(email)}`
}

function deviceKey(deviceId: string): string {
  return `device:${hash(deviceId)}`
}
