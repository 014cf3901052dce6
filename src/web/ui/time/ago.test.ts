import { expect, test } from 'vitest'
import { formatAgo, formatAhead, formatFullInstant } from './ago.ts'

const now = new Date('2026-11-27T12:00:00Z')

test.each([
  ['2026-11-27T12:00:20Z', 'just now'],
  ['2026-11-27T11:59:01Z', 'just now'],
  ['2026-11-27T11:59:00Z', '1 min ago'],
  ['2026-11-27T11:00:01Z', '59 min ago'],
  ['2026-11-27T11:00:00Z', '1 h ago'],
  ['2026-11-26T12:00:01Z', '23 h ago'],
  ['2026-11-26T12:00:00Z', '1 day ago'],
  ['2026-10-29T12:00:00Z', '29 days ago'],
  ['2026-10-28T12:00:00Z', 'Oct 28, 2026'],
])('says of %s that it was %s', (value, said) => {
  expect(formatAgo(value, now)).toBe(said)
})

test.each([
  ['2026-11-27T12:00:00Z', 'now'],
  ['2026-11-27T12:00:20Z', 'in 1 min'],
  ['2026-11-27T12:59:00Z', 'in 59 min'],
  ['2026-11-27T12:59:01Z', 'in 1 h'],
  ['2026-11-28T11:00:00Z', 'in 23 h'],
  ['2026-11-28T12:00:00Z', 'in 1 day'],
  ['2027-01-27T12:00:00Z', 'in 61 days'],
])('says of %s that it is %s', (value, said) => {
  expect(formatAhead(value, now)).toBe(said)
})

test('names the zone of the full instant', () => {
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value
  expect(formatFullInstant(now.toISOString())).toMatch(new RegExp(`^Nov 2[678], 2026, .+ ${zone}$`))
})
