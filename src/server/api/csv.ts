/**
 * Spreadsheets read a cell that begins with one of these as a formula (OWASP ASVS 5.0, 1.2.10), also in full
 * width.
 */
const formulaSigns = new Set('=+-@＝＋－＠')
/** Characters at which some spreadsheet splits a line, depending on its country settings. */
const separators = new Set(',;|\t\r\n')
/** A number stays one: it calculates nothing, and an apostrophe would make it a text. */
const plainNumber = /^-\d+(\.\d+)?$/
/** An instant as the API has it, in parts: no spreadsheet reads it as a time. */
const instant = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/
/** Without this mark at its beginning, Excel does not read a file as UTF-8. */
const utf8Mark = '\ufeff'
/** Characters that a spreadsheet skips before it looks for a formula. */
const passedOver = /[\s"\p{Cf}]/u

/**
 * Rows as RFC 4180 defines them, with every cell in quotes. A cell that a spreadsheet would calculate gets an
 * apostrophe in front.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/**
 * Streams a table as a CSV file whose letters and times (UTC) spreadsheets read. Reads the next page only when the receiver
 * asks for more.
 */
export function streamCsv(
  head: readonly string[],
  pages: AsyncGenerator<string[][], undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode(utf8Mark + csvOf([head]))),
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
 * Quotes keep a cell together only in programs that split at commas. Other programs may split inside the cell, so
 * each part is checked.
 */
function harmless(text: string): string {
  if (plainNumber.test(text)) return text
  if (instant.test(text)) return text.replace(instant, '$1 $2')
  let safe = /^[\t\r\n]/.test(text) ? "'" : ''
  let isBeginning = true
  for (const char of text) {
    if (isBeginning && formulaSigns.has(char)) safe += "'"
    isBeginning = separators.has(char) || (isBeginning && passedOver.test(char))
    safe += char
  }
  return safe
}
