import { expect, test } from 'vitest'
import { renewalText } from './facts-strip.tsx'

const now = new Date('2026-11-27T20:00:00Z')

test.each([
  ['active', '2026-12-09', null, null, 'Renews in 12 days'],
  ['active', '2026-11-28', null, null, 'Renews in 1 day'],
  ['active', '2026-11-27', null, null, 'Renews today'],
  ['past_due', '2026-11-20', null, null, 'Was due on Nov 20, 2026'],
  ['unpaid', '2026-12-10', null, null, 'Does not renew while unpaid'],
  ['unpaid', '2026-12-10', null, '2026-12-31', 'Ends on Dec 31, 2026'],
  ['active', null, '2026-12-31T00:00:00.000Z', null, 'Ends on Dec 31, 2026'],
  ['active', null, '2026-12-31T00:00:00.000Z', '2026-12-13', 'Ends on Dec 13, 2026'],
  ['active', '2026-12-01', null, '2027-03-01', 'Ends on Mar 1, 2027'],
  ['past_due', null, null, '2026-11-20', 'Was to end on Nov 20, 2026'],
  ['canceled', null, '2026-12-31T00:00:00.000Z', null, 'Does not renew'],
  ['active', null, null, null, 'Does not renew'],
])(
  '%s with the renewal %s, the period end %s and the planned end %s: %s',
  (status, nextRenewalDate, currentPeriodEnd, endsOn, text) =>
    expect(renewalText({ status, nextRenewalDate, currentPeriodEnd, endsOn }, now)).toBe(text),
)
