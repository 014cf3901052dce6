import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const rows = readFileSync('docs/stripe-traps.md', 'utf8')
  .split('\n')
  .flatMap((text) => {
    const [, number, , proof] = /^\| (\d+)\. ([^|]+) \|[^|]+\|([^|]+)\|$/.exec(text) ?? []
    return number === undefined ? [] : [{ number: Number(number), text, proof: proof ?? '' }]
  })

it('every trap stands in the table once', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 85 }, (_, index) => index + 1))
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
