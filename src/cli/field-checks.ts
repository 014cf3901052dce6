/** Says which field of a replay file is unusable, as in 'invoices[3].id is missing'. */
export class BadReplayInput extends Error {}

/** Checks a field's value and throws BadReplayInput with the field's path if it is invalid. */
export type Check = (value: unknown, path: string) => void

const decimal = /^-?\d{1,24}(\.\d{1,15})?$/

function checkOf(isRight: (value: unknown) => boolean, expected: string): Check {
  return (value, path) => {
    if (!isRight(value)) throw new BadReplayInput(`${path} is ${nameOf(value)}, not ${expected}`)
  }
}

/** A value in a few words; long values are cut, so that a message stays one line. */
function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Any size and sign: extreme figures are reported with their subscription, not as a fault of the file.
const isWhole = (value: unknown): value is number => Number.isInteger(value)

export const aText = checkOf((value) => typeof value === 'string', 'a text')
export const anId = checkOf((value) => typeof value === 'string' && value !== '', 'the text of an id')
export const aFlag = checkOf((value) => typeof value === 'boolean', 'true or false')
export const anAmount = checkOf(isWhole, 'a whole number of minor units')
export const aQuantity = checkOf(isWhole, 'a whole number')
export const anInstant = checkOf(isWhole, 'an instant in whole Unix seconds')
/** Stripe writes decimals as text; we accept plain numbers too. */
export const aDecimal = checkOf(
  (value) => (typeof value === 'string' || typeof value === 'number') && decimal.test(String(value)),
  'a decimal number',
)
export const aPercentage = checkOf((value) => typeof value === 'number', 'a percentage')

/** An object whose known fields are valid. A missing or null field is accepted unless it is `needed`. */
export function anObject(fields: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check {
  const checks = Object.entries(fields)
  return (value, path) => {
    if (!isRecord(value)) throw new BadReplayInput(`${path} is ${nameOf(value)}, not an object`)
    for (const name of needed) {
      if (value[name] === undefined) throw new BadReplayInput(`${path}.${name} is missing`)
      if (value[name] === null) throw new BadReplayInput(`${path}.${name} is null`)
    }
    for (const [name, check] of checks) {
      const field = value[name]
      if (field !== undefined && field !== null) check(field, `${path}.${name}`)
    }
  }
}

/** A bare list, or Stripe's list object if it is complete: figures from a first page alone would be silently wrong. */
export function aList(check: Check): Check {
  return (value, path) => {
    const isWrapped = isRecord(value)
    const entries = isWrapped ? value['data'] : value
    const entriesPath = isWrapped ? `${path}.data` : path
    if (!Array.isArray(entries)) throw new BadReplayInput(`${entriesPath} is ${nameOf(entries)}, not a list`)
    if (isWrapped && value['has_more'] === true)
      throw new BadReplayInput(`${path}.has_more is true: the list has to be embedded whole`)
    for (const [index, entry] of entries.entries()) check(entry, `${entriesPath}[${index}]`)
  }
}

/** A reference as Stripe sends it: the id alone, or the whole object. */
export function aReference(check: Check = anObject({ id: anId }, ['id'])): Check {
  return (value, path) => {
    if (isRecord(value)) check(value, path)
    else anId(value, path)
  }
}

/** An object with arbitrary keys, such as currencies. */
export function aMap(check: Check): Check {
  return (value, path) => {
    if (!isRecord(value)) throw new BadReplayInput(`${path} is ${nameOf(value)}, not an object`)
    for (const [name, entry] of Object.entries(value)) check(entry, `${path}.${name}`)
  }
}
