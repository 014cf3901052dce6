import { expect, test } from 'vitest'
import {
  type ExampleAccount,
  invoice,
  item,
  line,
  on,
  prorations,
  rebuild,
  renewals,
} from '#test/mrr/examples.ts'
import { bill, lived, off, pro, seat } from '#test/mrr/rule-book/example.ts'

function rulesOfLast(account: ExampleAccount): string | undefined {
  const { events, receipts } = rebuild(account)
  return receipts.ofEvent(events.at(-1)?.id ?? '')?.rules.join(' ')
}

test('R16 only the first revenue follows from the trial, not a later upgrade', () => {
  const account = lived(item(pro, 2), [bill(pro, 1, '2025-01-15'), bill(pro, 2, '2025-02-15')], {
    held: { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') },
    asOf: '2025-02-16',
  })
  expect(rulesOfLast(account)).toBe('R1 R19 R21 R27 R28')
})

test('R6 a coupon that ended is behind the change of price', () => {
  const account = lived(item(pro), [bill(pro, 1, '2025-01-01', off(200)), bill(pro, 1, '2025-02-01')], {
    asOf: '2025-02-02',
  })
  expect(rulesOfLast(account)?.split(' ')).toContain('R6')
})

test('R37 changes that are one are told of on the receipts of the event and of the present', () => {
  const change = (from: string, before: number, after: number) =>
    prorations(
      { of: seat, quantity: before, amountCents: before * 500 },
      { of: seat, quantity: after, amountCents: after * 500 },
      { from, to: '2025-02-01' },
    )
  const lines = [...change('2025-01-16T10:00:00Z', 10, 12), ...change('2025-01-16T15:30:00Z', 12, 15)]
  const account = lived(item(seat, 15), [
    ...renewals(seat, 10, ['2025-01-01']),
    invoice('2025-01-16T15:30:00Z', lines),
  ])
  expect(rulesOfLast(account)?.split(' ')).toContain('R37')
  expect(rebuild(account).receipts.ofSubscription('sub_1')?.rules).toContain('R37')
})

test('R8 a subscription that never counted shows the lines that did not', () => {
  const setup = line(pro, 1, { from: '2025-01-01', isSubscriptionItem: false, subscriptionItemId: null })
  const { receipts } = rebuild(lived([], [invoice('2025-01-01', [setup])]))
  expect(receipts.ofSubscription('sub_1')?.ignored).toEqual([
    { invoiceId: 'in_2025-01-01', lineId: setup.id, amountCents: 2000, reason: 'One-off item', rule: 'R8' },
  ])
})
