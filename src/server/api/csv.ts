/** A spreadsheet takes a cell that begins so for a formula (OWASP ASVS 5.0, 1.2.10). */
const formula = /^[=+\-@\t\r]/

/** Rows as RFC 4180 has them. A cell that a spreadsheet would calculate gets an apostrophe in front. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text
  return /[",\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
