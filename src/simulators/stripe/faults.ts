import { isRecord } from './world.ts'

export type FaultKind = 'status' | 'rate_limit' | 'reset' | 'truncate' | 'html' | 'slow' | 'empty'

const FAULT_KINDS: readonly FaultKind[] = [
  'status',
  'rate_limit',
  'reset',
  'truncate',
  'html',
  'slow',
  'empty',
]

/** A fault switched on for requests to come. */
export type Fault = {
  readonly kind: FaultKind
  readonly match: {
    /** Start of the path with its query; every /v1 request when left out. */
    readonly pathPrefix: string
    /** The first matching request that is hit, counted from 1. */
    readonly nth: number
    /** How many matching requests are hit from there on. */
    readonly times: number
  }
  /** HTTP status for `status` and `html`. */
  readonly status: number
  readonly delayMs: number
  /** `Stripe-Rate-Limited-Reason` for `rate_limit`. */
  readonly reason: string
  /** The `error.code` for `status`. */
  readonly code: string | undefined
  /** The `stripe-should-retry` header, when given. */
  readonly shouldRetry: boolean | undefined
}

export class FaultError extends Error {}

/** Reads a fault as posted to /_faults. Throws FaultError with the name of the bad field. */
export function readFault(json: unknown): Fault {
  if (!isRecord(json)) throw new FaultError('fault must be a JSON object')
  const kind = FAULT_KINDS.find((word) => word === json['kind'])
  if (kind === undefined) throw new FaultError(`kind must be one of ${FAULT_KINDS.join(', ')}`)
  const match = json['match'] ?? {}
  if (!isRecord(match)) throw new FaultError('match must be an object')
  return {
    kind,
    match: {
      pathPrefix: text(match, 'pathPrefix') ?? '/v1/',
      nth: whole(match, 'nth', 1, 1),
      times: whole(match, 'times', 1, 1),
    },
    status: whole(json, 'status', 200, kind === 'html' ? 502 : 500, 599),
    delayMs: whole(json, 'delayMs', 0, kind === 'slow' ? 1000 : 0, 600_000),
    reason: text(json, 'reason') ?? 'global-rate',
    code: text(json, 'code'),
    shouldRetry: typeof json['shouldRetry'] === 'boolean' ? json['shouldRetry'] : undefined,
  }
}

/** The faults that are switched on. */
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

  /** Counts a request towards every fault it matches, and gives the first that hits it. */
  strike(pathWithQuery: string): Fault | undefined {
    let hit: Fault | undefined
    for (const entry of this.#active) {
      const { nth, pathPrefix, times } = entry.fault.match
      if (!pathWithQuery.startsWith(pathPrefix)) continue
      entry.seen += 1
      if (entry.seen >= nth && entry.seen < nth + times) hit ??= entry.fault
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
