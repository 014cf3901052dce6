import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** How many traps each section has. */
const sections = [7, 7, 9, 6, 9, 5, 9, 7, 4]

const rows = readFileSync('docs/hubspot-traps.md', 'utf8')
  .split('\n')
  .flatMap((text) => {
    const [, number, proof] = /^\| (\d+\.\d+) [^|]+\|[^|]+\|([^|]+)\|$/.exec(text) ?? []
    return number === undefined ? [] : [{ number, proof: proof ?? '' }]
  })

it('every trap stands in the table once', () => {
  const wanted = sections.flatMap((count, section) =>
    Array.from({ length: count }, (_, index) => `${section + 1}.${index + 1}`),
  )
  expect(rows.map(({ number }) => number)).toEqual(wanted)
})

it('every trap has a test that is there, and the test has something to say', () => {
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
