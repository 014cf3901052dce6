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

/** The attempts per account that an attacker could use: in total fewer than a hundred a day. */
const perAccount = { max: 90, windowSeconds: day }
const perAccountAndNetwork = { max: 10, windowSeconds: 15 * minute }
/** The mails that strangers can cause to one address; a known device has the same budget. */
const mailsPerAddress = { max: 5, windowSeconds: hour }
const perNetwork = { max: 30, windowSeconds: minute }
/** Links in mails and returns from a hosted sign-in, which cost more to answer than to request. */
const linksPerNetwork = { max: 60, windowSeconds: minute }

const mailing = ['/sign-up/email', '/request-password-reset', '/send-verification-email']
const guarded = [
  '/sign-in/email',
  '/sign-in/demo',
  '/reset-password',
  '/change-password',
  '/update-user',
  '/change-email',
  '/change-email/look',
  '/change-email/confirm',
  '/sign-up/complete',
  '/two-factor/enable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
  ...mailing,
]

export type Attempt = {
  method: string
  path: string
  email: string | null
  address: string
  /** The browser, when this address was signed in there before. */
  deviceId: string | null
}

/**
 * Counts an attempt against each of its budgets and refuses it when one is empty. Budgets use the typed address,
 * whether or not the account exists, so a refusal reveals nothing.
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

/** Call after the right password. Forgets earlier wrong ones from this network or device. */
export async function forgiveAttempts(
  database: Database,
  { email, address, deviceId }: Attempt,
): Promise<void> {
  await refreshBudget(database, pairKey(email ?? '', address))
  if (deviceId !== null) await refreshBudget(database, deviceKey(deviceId))
}

/** Call when a person has proven an address. Wrong guesses by others then no longer block this person. */
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
  // Each device has its own budget, which nobody else can use up.
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
  // Guesses from other networks must not lock the owner out where the owner is signed in.
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
