/** How JSON writes a NUL. */
const nul = '\\u0000'

/** Whether a text of the answer may hold the sign NUL, which PostgreSQL cannot store. */
export function mayHoldNul(json: Buffer | string): boolean {
  return json.includes(nul)
}

/**
 * Parses JSON without the NULs in its texts: PostgreSQL refuses them, so that one in an id would end every import of the
 * account.
 */
export function parseJson(text: string): unknown {
  return mayHoldNul(text) ? JSON.parse(text, withoutNul) : JSON.parse(text)
}

function withoutNul(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}
