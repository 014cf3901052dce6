import { type ErrorCode, errorStatuses } from '#contract/errors.ts'
import type { Deps } from '../deps.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { Refusal } from '../refusal.ts'
import { isDatabaseAway } from '../store/postgres/is-database-away.ts'

const retryAfterSeconds = 5

/** The answer for a refused call; the code decides its status. */
export function errorAnswer(
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { code, message } }, { status: errorStatuses[code], headers })
}

/**
 * Turns any thrown error into an answer. Internal errors are logged, and the caller gets only a reference to the
 * log line.
 */
export function answerError(deps: Pick<Deps, 'log'>, error: unknown, requestId: string): Response {
  if (error instanceof Refusal) {
    return errorAnswer(error.code, error.message, retryAfter(error.retryAfterSeconds))
  }
  if (error instanceof ProviderError) return answerProviderError(error)
  if (isDatabaseAway(error)) {
    deps.log.error({ error, requestId }, 'database is away')
    return errorAnswer(
      'unavailable',
      'The database does not answer. Try again shortly.',
      retryAfter(retryAfterSeconds),
    )
  }
  deps.log.error({ error, requestId }, 'request failed')
  return errorAnswer('internal', `Something went wrong on our side. Try again later. Reference: ${requestId}`)
}

function answerProviderError(error: ProviderError): Response {
  switch (error.kind) {
    case 'unavailable':
      return errorAnswer('provider_unavailable', error.message, retryAfter(seconds(error.retryAfterMs)))
    case 'rate_limited':
      return errorAnswer('unavailable', error.message, retryAfter(seconds(error.retryAfterMs)))
    default:
      return errorAnswer('provider_refused', error.message)
  }
}

function seconds(ms: number | undefined): number {
  return ms === undefined ? retryAfterSeconds : Math.ceil(ms / 1000)
}

function retryAfter(value: number | undefined): Record<string, string> {
  return value === undefined ? {} : { 'retry-after': String(value) }
}
