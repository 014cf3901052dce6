/** What a driver names a failure by: PostgreSQL's SQLSTATE, or the code of the network; '' where it names none. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
