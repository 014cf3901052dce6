import { ProviderError, type ProviderErrorKind } from '../provider-error.ts'
import { redacted } from '../redacted.ts'
import type { ErrorAnswer } from './answers.ts'

/** The request that an error answers. */
export type FailedCall = { method: string; path: string }

/** A refusal by HubSpot with the fields that the adapter needs. It contains nothing of the request. */
export class HubspotError extends ProviderError {
  /** HubSpot's own status: 0 where the answer was not HubSpot's. */
  readonly status: number
  readonly #answer: ErrorAnswer

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: {
      status: number
      answer: ErrorAnswer
      retryAfterMs?: number
      asked?: FailedCall | undefined
      /** The status that came, where it is not HubSpot's. */
      strayStatus?: number | undefined
    },
  ) {
    const { status, answer, asked, strayStatus } = details
    super(kind, message, {
      ...(details.retryAfterMs !== undefined && { retryAfterMs: details.retryAfterMs }),
      request: {
        ...asked,
        status: strayStatus ?? status,
        ...(answer.category !== undefined && { code: answer.category }),
        ...(answer.correlationId !== undefined && { id: answer.correlationId }),
      },
    })
    this.name = 'HubspotError'
    this.status = status
    this.#answer = answer
  }

  /** Private, so that a logged error does not show it: it may repeat values that were sent. */
  get answer(): ErrorAnswer {
    return this.#answer
  }

  override get isAnswered(): boolean {
    return this.status !== 0 && super.isAnswered
  }
}

const overloadMessage = 'HubSpot does not answer properly right now. Please try again later.'

/** The request got no usable answer, so its outcome is unknown. */
export function unanswered(asked?: FailedCall, cause?: unknown): HubspotError {
  const error = new HubspotError('unavailable', overloadMessage, { status: 0, answer: {}, asked })
  if (cause !== undefined) error.cause = cause
  return error
}

/** An answer with a status of 400 or more. `isHubspots`: its body has the form of HubSpot's errors. */
export type FailedAnswer = {
  status: number
  answer: ErrorAnswer
  isHubspots: boolean
  retryAfterMs: number | undefined
}

/** These tell what to do, even if their body is that of a gateway. */
const tellingStatuses = [401, 403, 423, 429, 477]

/**
 * A gateway between us and HubSpot may answer with any status. Only HubSpot can refuse a record, which is then not sent again
 * unasked. A 408 says that nobody read the request.
 */
function isStray({ status, isHubspots }: FailedAnswer): boolean {
  if (status === 408) return true
  return !isHubspots && status < 500 && !tellingStatuses.includes(status)
}

/** The error of an answer, in words for people. */
export function errorOf(failed: FailedAnswer, asked: FailedCall): HubspotError {
  const { status, answer, retryAfterMs } = failed
  if (isStray(failed)) {
    const details = { status: 0, strayStatus: status, answer, asked }
    return new HubspotError('unavailable', overloadMessage, details)
  }
  const details = { status, answer, asked, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  switch (status) {
    case 401:
      return new HubspotError('unauthorized', 'HubSpot no longer accepts this connection.', details)
    case 403:
      return new HubspotError('forbidden', forbiddenMessage(answer), details)
    case 404:
      return new HubspotError('not_found', reasonOf(answer, 'HubSpot does not know this record.'), details)
    case 429:
      return new HubspotError('rate_limited', rateLimitMessage(answer), details)
    case 423:
    case 477:
      return new HubspotError('unavailable', 'HubSpot has locked this account for a moment.', details)
    default:
      return status >= 500
        ? new HubspotError('unavailable', overloadMessage, details)
        : new HubspotError('rejected', reasonOf(answer, 'HubSpot refused the request.'), details)
  }
}

/** An error of a batch that names none of its inputs: a refusal of the batch. */
export function refusalOf(answer: ErrorAnswer, fallback: string): HubspotError {
  const status = answer.category === 'CONFLICT' ? 409 : 400
  return new HubspotError('rejected', reasonOf(answer, fallback), { status, answer })
}

function forbiddenMessage(answer: ErrorAnswer): string {
  const scopes = (answer.errors ?? []).flatMap(({ context }) => [
    ...(context?.requiredGranularScopes ?? []),
    ...(context?.requiredScopes ?? []),
  ])
  const named = [...new Set(scopes)].filter((scope) => /^[a-z0-9_.-]{1,80}$/i.test(scope))
  const missing = named.length > 0 ? ` (missing: ${named.join(', ')})` : ''
  return `HubSpot does not permit this: a permission was not granted, the plan lacks the feature, or the app is not approved for it${missing}.`
}

function rateLimitMessage({ policyName }: ErrorAnswer): string {
  return policyName === 'DAILY'
    ? "HubSpot's daily limit of this account is used up. It starts over at midnight."
    : 'HubSpot asks for a pause. Please try again later.'
}

const reasonMax = 400

/** HubSpot's own reason in one readable line. For refused values it puts JSON into the message. */
export function reasonOf(answer: ErrorAnswer, fallback: string): string {
  const named = (answer.errors ?? []).flatMap(({ message, context }) =>
    message ? [withProperty(message, context?.propertyName?.[0])] : [],
  )
  const packed = packedReasons(answer.message ?? '')
  const reasons = packed.length > 0 ? packed : named
  const text = reasons.length > 0 ? reasons.join('; ') : (answer.message ?? '')
  return redacted(text.replace(/\s+/g, ' ').trim()).slice(0, reasonMax) || fallback
}

/** Reads the messages from 'Property values were not valid: [{"message":…,"name":…}]'. */
function packedReasons(message: string): string[] {
  const start = message.indexOf('[{')
  if (start === -1) return []
  try {
    const parsed: unknown = JSON.parse(message.slice(start))
    if (!Array.isArray(parsed)) return []
    return parsed.flatMap((entry: unknown) => {
      if (typeof entry !== 'object' || entry === null) return []
      const message = 'message' in entry && typeof entry.message === 'string' ? entry.message : undefined
      const name = 'name' in entry && typeof entry.name === 'string' ? entry.name : undefined
      return message ? [withProperty(message, name)] : []
    })
  } catch {
    return []
  }
}

function withProperty(message: string, name: string | undefined): string {
  return name === undefined || message.includes(name) ? message : `${name}: ${message}`
}
