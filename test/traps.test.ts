import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The number of traps in each section of the HubSpot table. */
const hubspotSections = [7, 13, 11, 6, 9, 5, 9, 8, 4]

const tables = [
  {
    document: 'docs/hubspot-traps.md',
    row: /^\| (?<number>\d+\.\d+) [^|]+\|[^|]+\|(?<proof>[^|]+)\|$/,
    numbers: hubspotSections.flatMap((count, section) =>
      Array.from({ length: count }, (_, index) => `${section + 1}.${index + 1}`),
    ),
  },
  {
    document: 'docs/stripe-traps.md',
    row: /^\| (?<number>\d+)\. [^|]+ \|[^|]+\|(?<proof>[^|]+)\|$/,
    numbers: Array.from({ length: 90 }, (_, index) => `${index + 1}`),
  },
]

describe.each(tables)('$document', ({ document, row, numbers }) => {
  const rows = readFileSync(document, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const { number, proof = '' } = row.exec(line)?.groups ?? {}
      return number === undefined ? [] : [{ number, proof }]
    })

  it('has every trap once', () => {
    expect(rows.map(({ number }) => number)).toEqual(numbers)
  })

  it('names a test for every trap that is there and has something to say', () => {
    const named = rows.map(({ number, proof }) => ({
      number,
      files: [...proof.matchAll(/`((?:src|test|e2e)\/[^`]+\.test\.tsx?)`/g)].map((match) => match[1] ?? ''),
    }))
    expect(named.filter(({ files }) => files.length === 0)).toEqual([])
    const missing = named.flatMap(({ number, files }) =>
      files
        .filter((file) => !existsSync(file) || !/\b(it|test)[.(]/.test(readFileSync(file, 'utf8')))
        .map((file) => ({ number, file })),
    )
    expect(missing).toEqual([])
  })
})
