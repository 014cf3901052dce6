/** A pattern for `ilike` that finds the text anywhere, its wildcards taken as they stand. */
export function containing(text: string): string {
  return `%${escaped(text)}%`
}

/** A pattern for `like` that finds what begins with the text. */
export function startingWith(text: string): string {
  return `${escaped(text)}%`
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
