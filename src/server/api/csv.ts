/** A spreadsheet takes a cell that begins so for a formula (OWASP ASVS 5.0, 1.2.10), in full width as well. */
const formulaSigns = new Set('=+-@＝＋－＠')
/** Where some spreadsheet in some country splits a line, whatever we mean by it. */
const separators = new Set(',;|\t\r\n')
/** What a spreadsheet passes over before it looks for a formula. */
const passedOver = /[\s"\p{Cf}]/u

/** Rows as RFC 4180 has them, every cell in quotes. What a spreadsheet would calculate gets an apostrophe in front. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** A table as a stream of CSV, read page by page as fast as it is taken off. */
export function streamCsv(
  head: readonly string[],
  pages: AsyncGenerator<string[][], undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode(csvOf([head]))),
    async pull(stream) {
      const next = await pages.next()
      if (next.done) stream.close()
      else stream.enqueue(encoder.encode(csvOf(next.value)))
    },
    cancel: async () => void (await pages.return(undefined)),
  })
}

/** An answer that a browser saves as a file. */
export function csvFile(name: string, table: ReadableStream<Uint8Array>): Response {
  return new Response(table, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}

function cellOf(text: string): string {
  return `"${harmless(text).replaceAll('"', '""')}"`
}

/**
 * Quotes keep a cell together only for who splits at commas. For who splits at something else a part of the cell is a
 * cell of its own, so each part is looked at.
 */
function harmless(text: string): string {
  let safe = /^[\t\r\n]/.test(text) ? "'" : ''
  let isBeginning = true
  for (const char of text) {
    if (isBeginning && formulaSigns.has(char)) safe += "'"
    isBeginning = separators.has(char) || (isBeginning && passedOver.test(char))
    safe += char
  }
  return safe
}
