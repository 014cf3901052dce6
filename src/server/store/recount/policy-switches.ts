import { defaultPolicy, type MrrPolicy } from '#domain/mrr/exact/policy.ts'

/** The choices of a policy, without its revision number. */
export type PolicySwitches = Omit<MrrPolicy, 'revision'>

type Read<T> = (value: unknown) => T | undefined

/** The longest period for a cut-off or a pairing. */
const daysMax = 3_650
const secondsMax = daysMax * 86_400

const oneOf =
  <const T>(...values: readonly T[]): Read<T> =>
  (value) =>
    values.find((candidate) => candidate === value)

const wholeNumber =
  (min: number, max: number): Read<number> =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? value
      : undefined

const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value)

const fraction: Read<readonly [number, number]> = (value) => {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [top, bottom] = value.map(wholeNumber(1, 1_000_000))
  return top === undefined || bottom === undefined ? undefined : [top, bottom]
}

/**
 * Reads stored or requested switches. An absent switch has its default, so that older policies stay readable.
 * Throws a TypeError that names an unknown switch or an invalid value.
 */
export function readPolicySwitches(value: unknown): PolicySwitches {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('The MRR policy is no object.')
  }
  const given = new Map<string, unknown>(Object.entries(value))
  const take = <T>(name: keyof PolicySwitches, read: Read<T>, fallback: T): T => {
    const found = given.get(name)
    given.delete(name)
    if (found === undefined) return fallback
    const known = read(found)
    if (known === undefined)
      throw new TypeError(`The MRR policy's switch '${name}' has a value it cannot have.`)
    return known
  }
  const none = defaultPolicy
  const switches: PolicySwitches = {
    discounts: take('discounts', oneOf('all', 'recurring', 'lasting'), none.discounts),
    churnAt: take('churnAt', oneOf('end', 'request'), none.churnAt),
    unpaid: take('unpaid', oneOf('churn', 'counts'), none.unpaid),
    pastDueChurnAfterDays: take(
      'pastDueChurnAfterDays',
      orNull(wholeNumber(1, daysMax)),
      none.pastDueChurnAfterDays,
    ),
    furtherSubscription: take('furtherSubscription', oneOf('own', 'movement'), none.furtherSubscription),
    recreateWithinSeconds: take(
      'recreateWithinSeconds',
      wholeNumber(0, secondsMax),
      none.recreateWithinSeconds,
    ),
    weeksPerMonth: take('weeksPerMonth', fraction, none.weeksPerMonth),
    daysPerMonth: take('daysPerMonth', fraction, none.daysPerMonth),
  }
  const [unknown] = given.keys()
  if (unknown !== undefined) throw new TypeError(`The MRR policy has no switch '${unknown}'.`)
  return switches
}
