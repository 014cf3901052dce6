/** A table that people read in a terminal and can send. Cells lose line breaks, bars and what a terminal obeys; columns have one width. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll('|', '/').replaceAll(/[\s\p{Cc}]+/gu, ' ')),
  )
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const isLast = (column: number) => column === heads.length - 1
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (isLast(column) ? cell : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => '-'.repeat(isLast(column) ? 3 : width))
  const [head = [], ...body] = cells
  return [head, rule, ...body].map(line).join('\n')
}
