import { expect, test } from 'vitest'
import { renewalText } from './facts-strip.tsx'

const now = new Date('2026-11-27T20:00:00Z')

test.each([
  ['active', '2026-12-09', null, 'Renews in 12 days'],
  ['active', '2026-11-28', null, 'Renews in 1 day'],
  ['active', '2026-11-27', null, 'Renews today'],
  ['past_due', '2026-11-20', null, 'Was due on Nov 20, 2026'],
  ['active', null, '2026-12-31T00:00:00.000Z', 'Ends on Dec 31, 2026'],
  ['canceled', null, '2026-12-31T00:00:00.000Z', 'Does not renew'],
  ['active', null, null, 'Does not renew'],
])('%s with the renewal %s and the period end %s: %4$s', (status, nextRenewalDate, currentPeriodEnd, text) =>
  expect(renewalText({ status, nextRenewalDate, currentPeriodEnd }, now)).toBe(text),
)
