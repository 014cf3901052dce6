import { expect, it } from 'vitest'
import { ecbHistory } from './history-file.ts'

const at = (iso: string) => Date.parse(iso) / 1000
const daysOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.slice(0, 10))

it('is as the bank publishes it: newest first, a comma at the end of each line, and N/A', () => {
  const text = ecbHistory(at('2026-11-27T16:00:00Z'))
  const [header = '', first = ''] = text.split('\n')
  expect(header).toMatch(/^Date,USD,JPY,.*,$/)
  expect(first).toMatch(/^2026-11-27,1\.\d+,1\d\d\.?\d*,N\/A,.*,$/)
  expect(first.split(',')).toHaveLength(header.split(',').length)
  expect(daysOf(text)).toEqual(daysOf(text).toSorted().reverse())
})

it('has no day of a weekend, or on which the banks are closed, and the newest from 15:00 UTC on', () => {
  const days = daysOf(ecbHistory(at('2026-04-08T14:59:00Z')))
  expect(days.slice(0, 2)).toEqual(['2026-04-07', '2026-04-02'])
  for (const closed of ['2025-12-25', '2025-12-26', '2026-01-01', '2026-04-03', '2026-04-06'])
    expect(days).not.toContain(closed)
  expect(days.every((day) => ![0, 6].includes(new Date(day).getUTCDay()))).toBe(true)
})

it('tells the same of a day whenever it is asked', () => {
  const lineOf = (text: string) => text.split('\n').find((line) => line.startsWith('2026-03-03'))
  expect(lineOf(ecbHistory(at('2026-04-08T16:00:00Z')))).toBe(lineOf(ecbHistory(at('2026-11-27T16:00:00Z'))))
})
