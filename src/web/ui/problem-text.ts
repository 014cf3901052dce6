/** Why something could not be read, as the page says it: a browser's own words for an outage tell nothing. */
export function problemText(error: Error): string {
  return error instanceof TypeError
    ? 'The server could not be reached. Check your connection.'
    : error.message
}
