/** Says which field of a replay file cannot be used, as in 'invoices[3].id is missing'. */
export class BadReplayInput extends Error {}

/** Looks at the value of a field and throws BadReplayInput, with the field's path, where it is not what it has to be. */
export type Check = (value: unknown, path: string) => void

const decimal = /^-?\d{1,24}(\.\d{1,15})?$/

function checkOf(isRight: (value: unknown) => boolean, expected: string): Check {
  return (value, path) => {
    if (!isRight(value)) throw new BadReplayInput(`${path} is ${nameOf(value)}, not ${expected}`)
  }
}

/** A value in a few words; long ones are cut, so that a message stays one line. */
function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// However large or far below 0: that is a figure to report with its subscription, and no fault of the file.
const isWhole = (value: unknown): value is number => Number.isInteger(value)

export const aText = checkOf((value) => typeof value === 'string', 'a text')
export const anId = checkOf((value) => typeof value === 'string' && value !== '', 'the text of an id')
export const aFlag = checkOf((value) => typeof value === 'boolean', 'true or false')
export const anAmount = checkOf(isWhole, 'a whole number of minor units')
export const aQuantity = checkOf(isWhole, 'a whole number')
export const anInstant = checkOf(isWhole, 'an instant in whole Unix seconds')
/** Stripe writes decimals as text; a plain number says the same. */
export const aDecimal = checkOf(
  (value) => (typeof value === 'string' || typeof value === 'number') && decimal.test(String(value)),
  'a decimal number',
)
export const aPercentage = checkOf((value) => typeof value === 'number', 'a percentage')

/** An object whose known fields are right. A field that is not there, or null, is let through unless it is `needed`. */
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

/** A bare list, or the list object that Stripe wraps one in, whole: figures of a first page would be wrong in silence. */
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

/** A reference as Stripe sends it: the bare id, or the object itself. */
export function aReference(check: Check = anObject({ id: anId }, ['id'])): Check {
  return (value, path) => {
    if (isRecord(value)) check(value, path)
    else anId(value, path)
  }
}

/** An object whose keys are free, as currencies are. */
export function aMap(check: Check): Check {
  return (value, path) => {
    if (!isRecord(value)) throw new BadReplayInput(`${path} is ${nameOf(value)}, not an object`)
    for (const [name, entry] of Object.entries(value)) check(entry, `${path}.${name}`)
  }
}
