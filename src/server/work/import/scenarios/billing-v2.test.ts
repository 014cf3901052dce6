import { afterEach, expect, it } from 'vitest'
import { replayDocument } from '#cli/replay.ts'
import { readReplayDocument } from '#cli/replay-document.ts'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { readWorld, type SimulatedWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { getBillingV2 } from '../../../store/payments/billing-v2.ts'
import { inOrganization } from '../../../store/postgres/database.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const day = 86_400
const before = generatedWorld(12)
const asOf = Date.parse(before.as_of) / 1000
const reason = 'Billed by Billing v2, not counted'

/** An active subscription that is the only one of its customer. */
const left = before.subscriptions.find(
  (one) =>
    one['status'] === 'active' &&
    before.subscriptions.filter((other) => other['customer'] === one['customer']).length === 1,
)
if (!left) throw new Error('the account holds none')

type Bill = { id: string; parent: string | null; line: object; currency?: string; status?: string }

/** An invoice as the previews of Billing v2 return it. */
function invoiceOf({ id, parent, line, currency = 'usd', status = 'paid' }: Bill): StripeObject {
  const { customer, lines, ...template } = structuredClone(
    before.invoices[0] ?? { id, created: 0 },
  ) as StripeObject & { lines: { data: object[] } }
  const billed = { ...lines.data[0], id: `il_${id}`, amount: 5_000, discount_amounts: [], subscription: null }
  return {
    ...{ ...template, id, currency, status, object: 'invoice', created: asOf - day },
    ...{ customer: left?.['customer'] ?? customer, discounts: [], total_discount_amounts: [] },
    parent: parent === null ? null : { type: parent, [parent]: {} },
    lines: { object: 'list', has_more: false, data: [{ ...billed, currency, ...line }] },
  }
}

const licence = {
  parent: { type: 'license_fee_subscription_details', license_fee_subscription_details: {} },
  pricing: { type: 'license_fee_details', license_fee_details: {} },
}
const rate = { parent: null, pricing: { type: 'rate_card_rate_details', rate_card_rate_details: {} } }
const bills: Bill[] = [
  { id: 'in_cadence', parent: 'billing_cadence_details', line: licence },
  { id: 'in_rates', parent: null, line: rate },
  { id: 'in_tomorrow', parent: 'mint_details', line: { parent: null, pricing: null }, currency: 'eur' },
  { id: 'in_draft', parent: 'billing_cadence_details', line: licence, status: 'draft' },
]

/** The account after the customer has moved to Billing v2. */
const world: SimulatedWorld = readWorld({
  ...before,
  subscriptions: before.subscriptions.map((one) =>
    one.id === left.id
      ? { ...one, status: 'canceled', canceled_at: asOf - 2 * day, ended_at: asOf - 2 * day }
      : one,
  ),
  invoices: [...before.invoices, ...bills.map(invoiceOf)],
})

it('is counted by itself, named by the run, and has no part in any figure', async () => {
  stage = await stageImport({ world })
  const run = await stage.importAll()
  expect(run).toMatchObject({ status: 'completed', failed_records: 0 })
  expect(run.message).toContain(` ${reason}: 3 invoices, 50.00 EUR, 100.00 USD.`)
  const { organizationId, db } = stage
  expect(await inOrganization(db.database, organizationId, getBillingV2)).toEqual({
    invoices: 3,
    amounts: [
      { currency: 'eur', amountCents: 5_000 },
      { currency: 'usd', amountCents: 10_000 },
    ],
  })
  const without = await stage.another('Without')
  stage.simulator.setWorld({ ...world, invoices: before.invoices })
  await without.importAll()
  const figures = async (own: ImportStage) => {
    const { events, snapshots } = await own.dump()
    return { events: events?.map((event) => ({ ...(event as object), receipt: null })), snapshots }
  }
  expect(await figures(stage)).toEqual(await figures(without))
})

it('names the Churn of whoever moved over, on its receipt and on its subscription', async () => {
  stage = await stageImport({ world })
  await stage.importAll()
  const { db } = stage
  const subscriptions = await query(
    db.ownerUrl,
    'select id, unsupported_reason as reason from subscriptions where unsupported_reason is not null',
  )
  expect(subscriptions).toEqual([{ id: left.id, reason }])
  const [churn] = await query<{ receipt: Receipt }>(
    db.ownerUrl,
    "select receipt from events where subscription_id = $1 and mrr_status = 'Churn' order by occurred_at desc",
    [left.id],
  )
  const instead = churn?.receipt.ignored.filter((line) => line.reason === reason)
  expect(instead?.map(({ invoiceId, rule }) => `${invoiceId} ${rule}`)).toEqual([
    'in_cadence R8',
    'in_rates R8',
    'in_tomorrow R8',
  ])
})

it('says the same in a replay', () => {
  const answer = replayDocument(readReplayDocument(JSON.stringify(world)), true) as {
    subscriptions: { subscriptionId: string; unsupported?: string }[]
    events: { subscriptionId: string; mrrStatus: string; receipt: Receipt }[]
    billedByBillingV2: object
  }
  expect(answer.billedByBillingV2).toEqual({ invoices: 3, amounts: { eur: 5_000, usd: 10_000 } })
  const named = answer.subscriptions.filter(({ unsupported }) => unsupported !== undefined)
  expect(named).toMatchObject([{ subscriptionId: left.id, unsupported: reason }])
  const churn = answer.events.findLast(({ subscriptionId }) => subscriptionId === left.id)
  expect(churn).toMatchObject({ mrrStatus: 'Churn' })
  expect(churn?.receipt.ignored.filter((line) => line.reason === reason)).toHaveLength(3)
  const plain = replayDocument(readReplayDocument(JSON.stringify(before)), true)
  expect(plain).not.toHaveProperty('billedByBillingV2')
})
