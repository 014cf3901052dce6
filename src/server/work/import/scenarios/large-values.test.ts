import { afterEach, expect, it } from 'vitest'
import { invoice, item, line, lineParent, subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { customer, listOf, price, product } from '#simulators/stripe/testing/stripe-objects.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

let stage: ImportStage
afterEach(() => stage.close())

type Row = Readonly<Record<string, unknown>>
const find = (rows: unknown[] | undefined, id: string) => (rows as Row[]).find((row) => row['id'] === id)

const begun = smallWorld()
const nowSeconds = Date.parse(begun.as_of) / 1000
const { recurring } = price('price_monthly') as { recurring?: object }

// No character repeats its neighbor, so that PostgreSQL cannot compress the text.
const long = Array.from({ length: 4_000 }, (_, n) =>
  String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
).join('')
const credits = price('price_credits', {
  product: 'prod_credits',
  unit_amount: null,
  unit_amount_decimal: '0.0001',
  transform_quantity: { divide_by: 1_000_000, round: 'up' },
})
const quantity = 3_000_000_000
const begin = nowSeconds - 86_400
const bought = subscription('sub_credits', {
  customer: 'cus_long',
  created: begin,
  start_date: begin,
  items: listOf('', [item('si_credits', 'sub_credits', { price: credits, quantity })]),
})
const ages = price('price_ages', { recurring: { ...recurring, interval: 'year', interval_count: 2 ** 52 } })
const rare = subscription('sub_ages', {
  customer: 'cus_long',
  items: listOf('', [item('si_ages', 'sub_ages', { price: ages })]),
})
const bill = invoice('in_credits', {
  customer: 'cus_long',
  created: begin,
  status_transitions: {
    finalized_at: begin,
    marked_uncollectible_at: null,
    paid_at: begin,
    voided_at: null,
  },
  parent: {
    quote_details: null,
    subscription_details: { metadata: {}, subscription: 'sub_credits' },
    type: 'subscription_details',
  },
  lines: listOf('', [
    line('il_credits', {
      invoice: 'in_credits',
      amount: 300_000,
      period: { start: begin, end: begin + 31 * 86_400 },
      quantity,
      quantity_decimal: String(quantity),
      parent: lineParent('sub_credits', 'si_credits'),
      pricing: {
        price_details: { price: 'price_credits', product: 'prod_credits' },
        type: 'price_details',
        unit_amount_decimal: '0.0001',
      },
    }),
  ]),
})

// Our record of a deleted customer comes from its invoices.
const ofGone = invoice('in_gone', {
  customer: 'cus_gone',
  customer_name: long,
  customer_email: `${long}@example.com`,
})

it('a quantity beyond two thousand million is counted, and a name of twelve thousand bytes cut', async () => {
  stage = await stageImport({
    world: {
      ...begun,
      customers: [...begun.customers, customer('cus_long', { name: long, email: `${long}@example.com` })],
      products: [...(begun.products ?? []), product('prod_credits', { name: long })],
      prices: [...(begun.prices ?? []), credits, ages],
      subscriptions: [...begun.subscriptions, bought, rare],
      invoices: [...begun.invoices, bill, ofGone],
    },
  })
  expect(await stage.importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
  const dump = await stage.dump()
  const shown = `${long.slice(0, 749)}…`
  expect(find(dump['customers'], 'cus_long')).toMatchObject({ name: shown })
  expect(find(dump['customers'], 'cus_gone')).toMatchObject({ name: shown, is_deleted: true })
  expect(find(dump['subscriptions'], 'sub_credits')).toMatchObject({
    quantity,
    current_mrr_cents: 300_000,
    product_name: shown,
  })
  expect(find(dump['subscriptions'], 'sub_ages')).toMatchObject({
    quantity: 1,
    billing_interval_days: null,
  })
  const events = (dump['events'] as Row[]).filter((row) => row['subscription_id'] === 'sub_credits')
  expect(events).toMatchObject([{ current_quantity: quantity, mrr_change_cents: 300_000 }])
})
