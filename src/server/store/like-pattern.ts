/** A pattern for `like` that finds the text anywhere, its wildcards taken as they stand. */
export function containing(text: string): string {
  return `%${escaped(text)}%`
}

/** A pattern for `like` that finds what ends with the text. */
export function endingWith(text: string): string {
  return `%${escaped(text)}`
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
