import { errorCodeOf, readOnly } from './error-code.ts'

/** SQLSTATE classes and codes that pass by themselves: connection, resources, shutdown, start, statement timeout. */
const passing = /^(08...|53...|57P0[1-5]|57014|25P0[34])$/
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const driverMessages =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|not queryable|client was closed/i

/** Whether a call failed because the database is unreachable, unavailable or a standby, so that it may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true
  const code = errorCodeOf(error)
  // Network errors here come from the database, because a provider's arrive as ProviderError.
  return (
    passing.test(code) ||
    code === readOnly ||
    networkCodes.has(code) ||
    isSocketAbsent(error) ||
    driverMessages.test(error.message)
  )
}

/** Whether there is no socket file at the address: PostgreSQL removes it when it stops. */
export function isSocketAbsent(error: Error): boolean {
  return errorCodeOf(error) === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
}
