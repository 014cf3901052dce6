import { expect, test } from 'vitest'
import { formatDelay, usualDelay } from './delay.ts'

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

test.each([
  [1, 1, 'within 1 second'],
  [2, 5, 'within 2 seconds (95% within 5 seconds)'],
])('most in %i and nearly all in %i seconds are said %s', (medianSeconds, p95Seconds, text) =>
  expect(usualDelay({ medianSeconds, p95Seconds })).toBe(text),
)
