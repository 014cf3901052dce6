import { describe, expect, it } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { csvOf, streamCsv } from './csv.ts'

describe('a cell of CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', 'a,b'],
    ['say "no"', 'say ""no""'],
    ['=cmd()', "'=cmd()"],
    ['+1', "'+1"],
    ['-1', '-1'],
    ['-12.50', '-12.50'],
    ['-1+1', "'-1+1"],
    ['-1 ', "'-1 "],
    ['@sum', "'@sum"],
    ['＝cmd()', "'＝cmd()"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['Robin;=cmd()', "Robin;'=cmd()"],
    ['Robin; "=cmd()"', `Robin; ""'=cmd()""`],
    ['Robin,@sum', "Robin,'@sum"],
    ['Robin\t-1', "Robin\t'-1"],
    ['Robin\n+1', "Robin\n'+1"],
    ['Robin|\u200b=1', "Robin|\u200b'=1"],
    ['a=b; c-d', 'a=b; c-d'],
    ['2026-11-28T00:02:42.000Z', '2026-11-28 00:02:42'],
    ['2026-11-28T00:02:42Z', '2026-11-28 00:02:42'],
    ['sub_1:2026-11-28T00:02:42Z:change', 'sub_1:2026-11-28T00:02:42Z:change'],
    ['', ''],
  ])('writes %j as %j', (text, cell) => expect(csvOf([[text]])).toBe(`"${cell}"\r\n`))

  it('is read back by who splits at commas, and calculates for nobody, wherever they split', () => {
    const part = fc.constantFrom(...'=+-@;,|\t\r\n" a1')
    const cell = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (row) => {
        const line = csvOf([row]).slice(0, -2)
        const cells = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, inner = '']) => inner)
        expect(cells.map((one) => one.replaceAll('""', '"').replaceAll("'", ''))).toEqual(row)
        // A naive reader that knows no quotes: it splits at any separator and strips the characters around a cell.
        const pieces = line.split(/[;,|\t\r\n]/).map((piece) => piece.replace(/^[\s"]+/, ''))
        expect(pieces.filter((piece) => /^[=+\-@]/.test(piece) && !/^-\d+"?$/.test(piece))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })
})

it('a file says at its beginning that it is UTF-8, which Excel does not assume', async () => {
  const pages = (async function* () {
    yield [['週刊']]
    return undefined
  })()
  const bytes = await new Response(streamCsv(['Größe'], pages)).arrayBuffer()
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe('\ufeff"Größe"\r\n"週刊"\r\n')
})

it('a stream of CSV reads no further than it is taken off, and ends its source when nobody wants more', async () => {
  let asked = 0
  const pages = (async function* () {
    for (; asked < 1_000; asked += 1) yield [['a line']]
    return undefined
  })()
  const reader = streamCsv(['Head'], pages).getReader()
  for (let count = 0; count < 2; count += 1) await reader.read()
  await new Promise((done) => setImmediate(done))
  expect(asked).toBeLessThan(5)
  await reader.cancel()
  expect((await pages.next()).done).toBe(true)
})
