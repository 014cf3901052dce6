/** A pattern for `like` that finds what ends with the text, its wildcards taken as they stand. */
export function endingWith(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}`
}
