import { isRecord } from '../world/world.ts'
import { readWorldChange, type WorldChange } from '../world/world-changes.ts'

/** The kinds of fault, grouped by what happens to the answer; docs/simulators.md describes each. */
export const faultKinds = [
  // Another answer replaces it.
  'status',
  'rate_limit',
  'lock_timeout',
  'expired_key',
  'invalid_key',
  'missing_permission',
  'redirect',
  'html',
  'empty',
  'error_body',
  'random',
  'bomb',
  // The answer arrives damaged, late or not at all.
  'reset',
  'truncate',
  'cut_json',
  'slow',
  'stall',
  'drip',
  // The answer has other content.
  'wrong_kind',
  'field',
  'empty_page',
  'early_end',
  'repeat_page',
  'long_page',
  // The account changes just before the answer.
  'change',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** A fault that is active for future requests. */
export type Fault = {
  readonly kind: FaultKind
  readonly match: {
    /** The beginning of the path with its query; every /v1 request by default. */
    readonly pathPrefix: string
    /** The first matching request that is hit, counted from 1. */
    readonly nth: number
    /** How many matching requests are hit from then on; null means all. */
    readonly times: number | null
    /** Only requests with this key, when given. */
    readonly key: string | undefined
  }
  /** HTTP status for `status`, `html`, `empty` and `redirect`. */
  readonly status: number
  readonly delayMs: number
  /** `Stripe-Rate-Limited-Reason` for `rate_limit`. */
  readonly reason: string
  /** `Retry-After`, sent unchanged, if given. */
  readonly retryAfter: string | undefined
  /** The `error.code` for `status`. */
  readonly code: string | undefined
  /** The `stripe-should-retry` header, when given. */
  readonly shouldRetry: boolean | undefined
  /** The target of a `redirect`. */
  readonly location: string
  /** The permission that `missing_permission` names. */
  readonly permission: string
  /**
   * The path that `field` overwrites, such as `data.*.status`, and the value; without a value the field is removed.
   */
  readonly field: { readonly path: string; readonly value: unknown } | undefined
  readonly change: WorldChange | undefined
}

const defaultStatus: Partial<Record<FaultKind, number>> = { html: 502, empty: 200, redirect: 302 }
const slowMs = 1000

export class FaultError extends Error {}

/** Reads a fault posted to /_faults. Throws FaultError with the name of the bad field, WorldError for a bad change. */
export function readFault(json: unknown): Fault {
  if (!isRecord(json)) throw new FaultError('fault must be a JSON object')
  const kind = faultKinds.find((word) => word === json['kind'])
  if (kind === undefined) throw new FaultError(`kind must be one of ${faultKinds.join(', ')}`)
  const match = json['match'] ?? {}
  if (!isRecord(match)) throw new FaultError('match must be an object')
  const path = text(json, 'path')
  if (kind === 'field' && path === undefined) throw new FaultError('path must be a text')
  return {
    kind,
    match: {
      pathPrefix: text(match, 'pathPrefix') ?? '/v1/',
      nth: whole(match, 'nth', 1, 1),
      times: match['times'] === null ? null : whole(match, 'times', 1, 1),
      key: text(match, 'key'),
    },
    status: whole(json, 'status', 200, defaultStatus[kind] ?? 500, 599),
    delayMs: whole(json, 'delayMs', 0, kind === 'slow' ? slowMs : 0, 600_000),
    reason: text(json, 'reason') ?? 'global-rate',
    retryAfter: text(json, 'retryAfter'),
    code: text(json, 'code'),
    shouldRetry: typeof json['shouldRetry'] === 'boolean' ? json['shouldRetry'] : undefined,
    location: text(json, 'location') ?? 'https://example.com/elsewhere',
    permission: text(json, 'permission') ?? 'rak_subscription_read',
    field: path === undefined ? undefined : { path, value: json['value'] },
    change: kind === 'change' ? readWorldChange(json['change']) : undefined,
  }
}

/** The active faults. */
export class FaultBoard {
  #active: { fault: Fault; seen: number }[] = []

  add(fault: Fault): void {
    this.#active.push({ fault, seen: 0 })
  }

  clear(): void {
    this.#active = []
  }

  get list(): readonly (Fault & { readonly seen: number })[] {
    return this.#active.map(({ fault, seen }) => ({ ...fault, seen }))
  }

  /** Counts a request for every fault it matches, and returns the first fault that hits it. */
  strike(pathWithQuery: string, authorization: string): Fault | undefined {
    let hit: Fault | undefined
    for (const entry of this.#active) {
      const { nth, pathPrefix, times, key } = entry.fault.match
      if (!pathWithQuery.startsWith(pathPrefix)) continue
      if (key !== undefined && !authorization.endsWith(key)) continue
      entry.seen += 1
      if (entry.seen >= nth && (times === null || entry.seen < nth + times)) hit ??= entry.fault
    }
    return hit
  }
}

function text(from: Record<string, unknown>, field: string): string | undefined {
  const value = from[field]
  if (value === undefined || typeof value === 'string') return value
  throw new FaultError(`${field} must be a text`)
}

function whole(from: Record<string, unknown>, field: string, min: number, absent: number, max = 1e9): number {
  const value = from[field] ?? absent
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw new FaultError(`${field} must be a whole number from ${min} to ${max}`)
}
