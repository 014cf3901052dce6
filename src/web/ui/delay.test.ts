import { expect, test } from 'vitest'
import { formatDelay } from './delay.ts'

test.each([
  [0, '1 second'],
  [1, '1 second'],
  [99, '99 seconds'],
  [100, '2 minutes'],
  [1_800, '30 minutes'],
  [5_999, '100 minutes'],
  [6_000, '2 hours'],
  [90_000, '25 hours'],
])('%i seconds are said as %s', (seconds, text) => expect(formatDelay(seconds)).toBe(text))
