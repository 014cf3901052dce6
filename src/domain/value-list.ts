// Filters name several values in one parameter: 'Team,Pro'. A backslash keeps a comma inside a value, and `\-` stands for
// rows without a value, since any plain word could be the name of a product.

/** Stands for rows without a value. */
const noValue = '\\-'

/** Writes values as one text, which `splitValues` reads. */
export function joinValues(values: readonly (string | null)[]): string {
  return values.map((value) => (value === null ? noValue : value.replace(/[\\,]/g, '\\$&'))).join(',')
}

/** Reads a text of `joinValues`. Empty values and repetitions are left out. */
export function splitValues(text: string): (string | null)[] {
  const parts = text.match(/(?:\\[\s\S]|[^\\,]|\\$)+/g) ?? []
  const values = parts.map((part) => (part === noValue ? null : part.replace(/\\([\s\S])/g, '$1')))
  return [...new Set(values)]
}
