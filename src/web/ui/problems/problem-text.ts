/**
 * Says why something could not be read. It replaces the browser's own words for an outage, because they explain
 * nothing.
 */
export function problemText(error: Error): string {
  return error instanceof TypeError
    ? 'The server could not be reached. Check your connection.'
    : error.message
}
