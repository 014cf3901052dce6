/** The code of the connection's own error, which `fetch` hides in its cause. */
export function codeOf(error: unknown): string {
  const { cause, name, code } = Object(error)
  if (cause !== undefined) return codeOf(cause instanceof AggregateError ? cause.errors[0] : cause)
  return String(typeof code === 'string' ? code : (name ?? 'unknown'))
}
