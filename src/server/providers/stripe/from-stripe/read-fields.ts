/**
 * Tolerant readers for Stripe's data. They return a value of the expected type or a fallback. An object without an
 * id cannot be identified, so it throws `UnreadableObject`.
 */
import { latestInstant } from '#domain/instant.ts'

/** An object of Stripe that cannot be identified. */
export class UnreadableObject extends Error {
  /** The field, as in 'id' or 'lines[3].amount'. */
  readonly field: string
  constructor(field: string, problem: string) {
    super(`${field} ${problem}`)
    this.field = field
  }
}

/** The fields of an object of Stripe, by name. */
export type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined
}

/** The nested object at a path of field names; an empty object when one is missing. */
export function at(value: unknown, ...path: string[]): Fields {
  let fields = fieldsOf(value)
  for (const name of path) fields = fieldsOf(fields?.[name])
  return fields ?? {}
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function textOr(value: unknown, fallback: string): string {
  return textOrNull(value) ?? fallback
}

/**
 * Names are sorted in lists. A row of a B-tree index of PostgreSQL has at most 2,704 bytes, and a character up to
 * three.
 */
const nameMaxLength = 750

/**
 * A name or an address. A text that is too long for lists is cut after a whole character and ends in an ellipsis.
 */
export function nameOrNull(value: unknown): string | null {
  const name = textOrNull(value)
  if (name === null || name.length <= nameMaxLength) return name
  return `${name.slice(0, nameMaxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** What Stripe puts in the place of personal data after a redaction. Source: docs.stripe.com/privacy/redaction. */
const redacted = '[redacted]'

/** Whether Stripe erased the text. Then no name and no address may be kept. */
export function isRedacted(value: unknown): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === redacted
}

/** A person's name or address; null after a redaction. */
export function personalOrNull(value: unknown): string | null {
  return isRedacted(value) ? null : nameOrNull(value)
}

export function isTrue(value: unknown): boolean {
  return value === true
}

/** A whole number; null for anything else, because a guess would be wrong. */
export function integerOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Whether an existing field is not the whole number, or the instant, that it should be. */
export function isUnreadable(value: unknown, read: (value: unknown) => number | null): boolean {
  return value !== undefined && value !== null && read(value) === null
}

export function integerOr(value: unknown, fallback: number): number {
  return integerOrNull(value) ?? fallback
}

/** Unix seconds between 1970 and 9999; null for anything else. */
export function instantOrNull(value: unknown): number | null {
  const seconds = integerOrNull(value)
  return seconds !== null && seconds >= 0 && seconds <= latestInstant ? seconds : null
}

/** The text of a decimal, which is an object in the SDK and a text in raw JSON; null for anything else. */
export function decimalOrNull(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = String(value)
  return text.length <= 40 && /^-?\d+(\.\d+)?$/.test(text) ? text : null
}

/** Ids are indexed, as names are, but not cut. Those of Stripe have at most 255 characters. */
const idMaxLength = 500

/** The id of a reference, whether Stripe sent only the id or the expanded object; null for one that cannot be stored. */
export function idOrNull(value: unknown): string | null {
  const id = textOrNull(value) ?? textOrNull(fieldsOf(value)?.['id'])
  return id !== null && id.length > idMaxLength ? null : id
}

/** The object's own id. */
export function idOf(value: unknown): string {
  const id = textOrNull(fieldsOf(value)?.['id'])
  if (id === null) throw new UnreadableObject('id', 'is missing or no text')
  if (id.length > idMaxLength) throw new UnreadableObject('id', `of at most ${idMaxLength} characters`)
  return id
}

/** Whether the value is a Stripe list or an array, even an empty one. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) || Array.isArray(fieldsOf(value)?.['data'])
}

/** The entries of a Stripe list or an array; none for anything else. */
export function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const data = fieldsOf(value)?.['data']
  return Array.isArray(data) ? data : []
}
