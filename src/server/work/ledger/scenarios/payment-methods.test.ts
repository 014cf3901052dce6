import { expect, it, onTestFinished } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, stageImport } from '#test/import/stage-import.ts'
import { knownAtOf, rebuildDue } from '../rebuild-events.ts'

it('an event tells how its invoice was paid, or where nobody knows, how its subscription or customer pays', async () => {
  const stage = await stageImport({ world: generatedWorld(10) })
  onTestFinished(() => stage.close())
  await stage.importAll()
  const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    query<Row>(stage.db.ownerUrl, text, values)
  const billed = await sql<{ id: string; invoice: string; subscription: string; customer: string }>(
    `select distinct on (customer_id) id, invoice_id as invoice, subscription_id as subscription, customer_id as customer
       from events where invoice_id is not null order by customer_id, occurred_at limit 4`,
  )
  const card = (last4: string) => ({ type: 'card', brand: 'visa', last4 })
  await sql('delete from invoice_payments')
  await sql(`update subscriptions set body = jsonb_set(body, '{paymentMethod}', 'null')`)
  await sql('update customers set payment_method = null, is_rebuild_due = true')
  const [byInvoice, untold, bySubscription, byCustomer] = billed
  for (const [event, method] of [
    [byInvoice, card('1111')],
    [untold, null],
  ] as const)
    await sql(
      `insert into invoice_payments (organization_id, id, invoice_id, payment_method, created_at)
       select organization_id, 'inpay_' || id, invoice_id, $2::jsonb, now() from events where id = $1`,
      [event?.id, JSON.stringify(method)],
    )
  const ofSubscription = [byInvoice, untold, bySubscription].map((event) => event?.subscription)
  await sql(
    `update subscriptions set body = jsonb_set(body, '{paymentMethod}', $2::jsonb) where id = any($1)`,
    [ofSubscription, JSON.stringify(card('2222'))],
  )
  await sql('update customers set payment_method = $1::jsonb', [JSON.stringify(card('3333'))])
  const { claim } = await stage.start()
  const context = { deps: stage.deps, claim, signal: new AbortController().signal }
  await rebuildDue(context, knownAtOf({ created_at: stage.deps.now() }, { clockAt: null }))
  const told = await sql<{ id: string; method: string }>('select id, payment_method as method from events')
  const methodOf = new Map(told.map(({ id, method }) => [id, method]))
  expect(
    [byInvoice, untold, bySubscription, byCustomer].map((event) => methodOf.get(event?.id ?? '')),
  ).toEqual(['1111', '2222', '2222', '3333'].map((last4) => `Visa •••• ${last4}`))
})
