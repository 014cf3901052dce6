import { getTextAt, type HubspotJson, objectAt, textAt } from '../body.ts'
import { invalidInput } from '../errors.ts'

const faultKinds = [
  'status',
  'rate_limit',
  'reset',
  'truncate',
  'html',
  'slow',
  'empty',
  'lost_answer',
  'unread',
] as const

/**
 * The kinds of fault. `reset`, `status`, `rate_limit`, `html`, `empty` and `unread` replace the work; `truncate` and
 * `lost_answer` happen after it, `slow` before it.
 */
type FaultKind = (typeof faultKinds)[number]

/** A fault, and which of the matching requests it hits. */
export type FaultRule = {
  readonly kind: FaultKind
  readonly pathPrefix: string
  readonly method: string | null
  /** The first matching request that is hit, counted from 1. */
  readonly nth: number
  /** How many are hit from then on; null means all. */
  readonly times: number | null
  readonly status: number | null
  readonly category: string | null
  readonly message: string | null
  readonly policyName: string | null
  readonly retryAfter: string | null
  readonly delayMs: number
  /** How long it lasts after its first hit, regardless of `times`; null for no time limit. */
  readonly forMs: number | null
}

/** The active faults. A restart clears them. */
export class FaultRules {
  #rules: { rule: FaultRule; matched: number; hitAt?: number }[] = []

  add(rule: FaultRule): void {
    this.#rules.push({ rule, matched: 0 })
  }

  clear(): void {
    this.#rules = []
  }

  list(): readonly { readonly rule: FaultRule; readonly matched: number }[] {
    return this.#rules
  }

  /** The fault that hits this request, if one does. Every matching rule counts the request. */
  take(method: string, path: string, now: number): FaultRule | undefined {
    let hit: FaultRule | undefined
    for (const counted of this.#rules) {
      const { rule } = counted
      if (!path.startsWith(rule.pathPrefix) || (rule.method !== null && rule.method !== method)) continue
      counted.matched += 1
      if (hit !== undefined || counted.matched < rule.nth) continue
      counted.hitAt ??= now
      const isWithin =
        rule.forMs === null
          ? rule.times === null || counted.matched < rule.nth + rule.times
          : now < counted.hitAt + rule.forMs
      if (isWithin) hit = rule
    }
    return hit
  }
}

/** Reads a requested fault: `{match: {pathPrefix, method, nth, times}, kind, …}`; `times` is 1 by default. */
export function readFault(body: HubspotJson): FaultRule {
  const match = objectAt(body, 'match')
  const named = getTextAt(body, 'kind')
  const kind = faultKinds.find((one) => one === named)
  if (kind === undefined) throw invalidInput(`Unknown fault ${named}. Known: ${faultKinds.join(', ')}`)
  return {
    kind,
    pathPrefix: textAt(match, 'pathPrefix') ?? '/',
    method: textAt(match, 'method')?.toUpperCase() ?? null,
    nth: numberAt(match, 'nth') ?? 1,
    times: match['times'] === null ? null : (numberAt(match, 'times') ?? 1),
    status: numberAt(body, 'status') ?? null,
    category: textAt(body, 'category') ?? null,
    message: textAt(body, 'message') ?? null,
    policyName: textAt(body, 'policyName') ?? null,
    retryAfter: textAt(body, 'retryAfter') ?? null,
    delayMs: numberAt(body, 'delayMs') ?? 0,
    forMs: numberAt(body, 'forMs') ?? null,
  }
}

function numberAt(body: HubspotJson, name: string): number | undefined {
  const text = textAt(body, name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) throw invalidInput(`${name} must be a whole number`)
  return number
}
