/** A pattern for `like` that finds what ends with the text; wildcards in the text have no special meaning. */
export function endingWith(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}`
}
