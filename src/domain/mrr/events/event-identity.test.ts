import { expect, test } from 'vitest'
import { invoice, item, line, on, price, prorations, rebuild, renewals } from '#test/mrr/examples.ts'
import { lived, pro, seat } from '#test/mrr/rule-book/example.ts'

test('R21 an event names the invoice that shows it, whenever that was made', () => {
  const change = prorations(
    { of: seat, quantity: 10, amountCents: 5000 },
    { of: seat, quantity: 11, amountCents: 5500 },
    { from: '2025-01-16', to: '2025-02-01' },
  )
  const renewal = invoice('2025-02-01', [...change, line(seat, 11, { from: '2025-02-01' })])
  const account = lived(item(seat, 11), [renewal, ...renewals(seat, 10, ['2025-01-01'])], {
    asOf: '2025-02-02',
  })
  expect(rebuild(account).events.map(({ invoiceId, occurredAt }) => [invoiceId, occurredAt])).toEqual([
    ['in_2025-01-01', on('2025-01-01')],
    ['in_2025-02-01', on('2025-01-16')],
  ])
})

test('R21 what no invoice shows has none, and an id that says when it was seen', () => {
  const { events, subscriptions } = rebuild(lived(item(pro, 3), renewals(pro, 1, ['2025-01-01'])))
  expect(events.at(-1)).toMatchObject({
    id: 'sub_1:seen-2025-01-20T00:00:00Z:change',
    occurredAt: on('2025-01-20'),
    mrrChangeCents: 4000,
    invoiceId: null,
  })
  expect(subscriptions[0]?.currentMrrCents).toBe(6000)
})

test('R17 a pause that nothing dates has an id that says when it was seen', () => {
  const paused = lived(item(pro), renewals(pro, 1, ['2025-01-01']), { held: { status: 'paused' } })
  expect(rebuild(paused).events.at(-1)).toMatchObject({
    id: 'sub_1:seen-2025-01-20T00:00:00Z:change',
    mrrStatus: 'Churn',
    occurredAt: on('2025-01-20'),
  })
})

test('R31 a change that nets to nothing makes no event, and the record is still up to date', () => {
  const half = price('half', 500, 'month', { productId: seat.productId })
  const invoices = [...renewals(seat, 1, ['2025-01-01']), ...renewals(half, 2, ['2025-02-01'])]
  const made = rebuild(lived(item(half, 2), invoices, { prices: [seat], asOf: '2025-02-02' }))
  expect(made.events).toHaveLength(1)
  expect(made.subscriptions[0]).toMatchObject({ quantity: 2, currentMrrCents: 1000 })
})

test('R14 the product shown is that of the item with the most MRR, wherever it stands', () => {
  const [extra, plan] = [price('extra', 9000, 'year'), price('plan', 1000)]
  const products = [
    { id: 'prod_extra', name: 'Extra', isActive: true, createdAt: 0 },
    { id: 'prod_plan', name: 'Plan', isActive: true, createdAt: 0 },
  ]
  const items = [item(extra), item(plan, 1, { id: 'si_2' })]
  const from = '2025-01-01'
  const lines = [line(extra, 1, { from }), line(plan, 1, { from, subscriptionItemId: 'si_2' })]
  const shown = (held: typeof items, billed: typeof lines) => {
    const { events, subscriptions } = rebuild(lived(held, [invoice(from, billed)], { products }))
    return [...events, ...subscriptions].map(({ productName }) => productName)
  }
  expect(shown(items, lines)).toEqual(['Plan', 'Plan'])
  expect(shown(items.toReversed(), lines.toReversed())).toEqual(['Plan', 'Plan'])
})

test('R14 of items worth the same, no order of items or lines decides which product is shown', () => {
  const [archive, board] = [price('archive', 1000), price('board', 1000)]
  const products = [
    { id: 'prod_archive', name: 'Archive', isActive: true, createdAt: 0 },
    { id: 'prod_board', name: 'Board', isActive: true, createdAt: 0 },
  ]
  const items = [item(board, 1, { id: 'si_2' }), item(archive)]
  const from = '2025-01-01'
  const lines = [line(board, 1, { from, subscriptionItemId: 'si_2' }), line(archive, 1, { from })]
  const shown = (held: typeof items, billed: typeof lines) => {
    const { events, subscriptions } = rebuild(lived(held, [invoice(from, billed)], { products }))
    return [...events, ...subscriptions].map(({ productName }) => productName)
  }
  expect(shown(items, lines)).toEqual(['Archive', 'Archive'])
  expect(shown(items.toReversed(), lines.toReversed())).toEqual(['Archive', 'Archive'])
})
