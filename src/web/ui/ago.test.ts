import { expect, test } from 'vitest'
import { formatAgo, formatFullInstant } from './ago.ts'

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

test('names the zone of the full instant', () => {
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value
  expect(formatFullInstant(now.toISOString())).toMatch(new RegExp(`^Nov 2[678], 2026, .+ ${zone}$`))
})
