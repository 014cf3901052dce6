declare const jsonBrand: unique symbol

/** JSON text as `storableJson` writes it: one line, never empty. */
export type JsonText = string & { readonly [jsonBrand]: true }

// What jsonb refuses: NUL, and unpaired surrogates.
const refused = /\\u(?:0000|d[89a-f])/i

/**
 * Rows as one JSON parameter for jsonb_to_recordset: by ascending id, so that transactions lock in the same order;
 * each id once, with its last row; without characters that PostgreSQL cannot store.
 */
export function jsonRows(rows: readonly { id: string }[]): string {
  return storableJson(onceById(rows))
}

/** Rows by ascending id, each id once with its last row. */
export function onceById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** JSON text that jsonb accepts, whatever a provider sent. */
export function storableJson(value: object): JsonText {
  const text = JSON.stringify(value)
  // Most text has no escapes, and this check for them is much faster.
  const isRefused = text.includes('\\u') && refused.test(text)
  return (isRefused ? JSON.stringify(value, storable) : text) as JsonText
}

/** The same for an optional value; null if it is absent. */
export function storableJsonOrNull(value: object | null | undefined): JsonText | null {
  return value ? storableJson(value) : null
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
