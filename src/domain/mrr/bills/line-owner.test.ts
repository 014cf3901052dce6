import { expect, test } from 'vitest'
import { invoice, item, line, price, prorations, renewals, subscription } from '#test/mrr/examples.ts'
import { isPendingBill } from './line-owner.ts'

const pro = price('pro', 2000)
const change = prorations(
  { of: pro, quantity: 1, amountCents: 1000 },
  { of: pro, quantity: 3, amountCents: 3000 },
  { from: '2025-01-16', to: '2025-02-01' },
)
const waits = subscription([item(pro)], { pendingInvoiceId: 'in_waits' })
const bill = (id: string, status: string, subscriptionId = 'sub_1') =>
  invoice('2025-01-16', change, { id, status, subscriptionId })

test.each([
  ['the named bill of the change', waits, bill('in_waits', 'open'), true],
  ['the named bill, paid since the subscription was read', waits, bill('in_waits', 'paid'), true],
  ['another open bill for a part of the period', waits, bill('in_other', 'open'), true],
  ['an earlier change, which is paid', waits, bill('in_other', 'paid'), false],
  ['a change of another subscription', waits, bill('in_other', 'open', 'sub_2'), false],
  ['a renewal', waits, { ...renewals(pro, 1, ['2025-01-01'])[0], status: 'open' }, false],
  [
    'a cycle that begins inside the period',
    waits,
    invoice('2025-01-16', [line(pro, 1, { from: '2025-01-16' })], { status: 'open' }),
    true,
  ],
  ['a bill where no change waits', subscription([item(pro)]), bill('in_other', 'open'), false],
])('R26 %s', (_, of, asked, isPending) => {
  expect(isPendingBill(of, asked as typeof asked & ReturnType<typeof invoice>)).toBe(isPending)
})
