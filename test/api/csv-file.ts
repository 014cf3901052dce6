/** The cells of a CSV file that the API answered, all of which are quoted, and a column's amounts in minor units. */
export function readCsv(text: string) {
  const [head = [], ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'))
  return {
    lines,
    centsOf: (of: readonly string[][], column: string) =>
      of.map((cells) => Math.round(Number(cells[head.indexOf(column)]) * 100)),
  }
}
