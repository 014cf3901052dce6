/** The code of a failure: PostgreSQL's SQLSTATE or a network error code; '' without one. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** PostgreSQL's code for a value that another row has. */
export const uniqueViolation = '23505'

/** PostgreSQL's code for a write to a server, or in a transaction, that only reads. */
export const readOnly = '25006'
