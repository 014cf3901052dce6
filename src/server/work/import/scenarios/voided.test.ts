import { afterEach, describe, expect, it } from 'vitest'
import { invoice, item, line, subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { customer, event, listOf, price, worldStart } from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld, StripeObject } from '#simulators/stripe/world/world.ts'
import { daySeconds, lastHour } from '#test/import/moving-account.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const begun = smallWorld()
const begunAt = Date.parse(begun.as_of) / 1000
const endedAt = worldStart + 50 * daySeconds
const monthSeconds = 31 * daySeconds

/** A subscription that has ended, and one invoice for each of its first months with the given seats. */
function lived(name: string, seats: readonly number[], lastStatus: string) {
  const items = [item(`si_${name}`, `sub_${name}`, { price: price('price_monthly') })]
  const own = { customer: `cus_${name}`, created: worldStart }
  const held = subscription(`sub_${name}`, {
    ...own,
    ...{ status: 'canceled', canceled_at: endedAt, ended_at: endedAt },
    items: listOf(`/v1/subscription_items?subscription=sub_${name}`, items),
  })
  const bills = seats.map((quantity, month) => {
    const [id, start] = [`in_${name}_${month}`, worldStart + month * monthSeconds]
    const ofItem = { subscription: `sub_${name}`, subscription_item: `si_${name}`, proration: false }
    const details = { type: 'subscription_item_details', subscription_item_details: ofItem }
    const billed = line(`il_${name}_${month}`, {
      ...{ invoice: id, amount: 1000 * quantity, quantity, quantity_decimal: String(quantity) },
      ...{ period: { start, end: start + monthSeconds }, subscription: `sub_${name}`, parent: details },
    })
    return invoice(id, {
      ...{ customer: own.customer, created: start },
      status: month === seats.length - 1 ? lastStatus : 'paid',
      parent: { type: 'subscription_details', subscription_details: { subscription: `sub_${name}` } },
      lines: listOf(`/v1/invoices/${id}/lines`, [billed]),
    })
  })
  return { customer: customer(own.customer), subscription: held, bills }
}

const lives = [
  lived('grown', [1, 3], 'open'),
  lived('only', [2], 'uncollectible'),
  lived('credited', [1, 2], 'paid'),
]

/** The account some minutes later, with these invoices replaced and one event for each. */
function worldAt(
  minutes: number,
  changed: readonly (StripeObject & { type: string })[] = [],
): SimulatedWorld {
  const now = begunAt + minutes * 60
  const bills = lives.flatMap((life) => life.bills)
  const invoices = bills.map((bill) => {
    const { type: _, ...after } = changed.find(({ id }) => id === bill.id) ?? { ...bill, type: '' }
    return after
  })
  const events = changed.map(({ type, ...object }) => ({
    ...event(`evt_${object.id}`, type, now - 300),
    data: { object },
  }))
  return {
    ...begun,
    as_of: new Date(now * 1000).toISOString(),
    customers: [...begun.customers, ...lives.map((life) => life.customer)],
    subscriptions: [...begun.subscriptions, ...lives.map((life) => life.subscription)],
    invoices: [...begun.invoices, ...invoices],
    events: [...(begun.events ?? []), ...events],
  }
}

function changedTo(id: string, type: string, fields: object): StripeObject & { type: string } {
  const bill = lives.flatMap((life) => life.bills).find((one) => one.id === id)
  if (!bill) throw new Error(`the account has no ${id}`)
  return { ...bill, ...fields, type }
}

type Event = { id: string; subscription_id: string; mrr_status: string; current_mrr_cents: number }

async function ledgerOf(own: ImportStage, subscriptionId: string) {
  const events = ((await own.dump())['events'] ?? []) as Event[]
  const ofIt = events.filter((one) => one.subscription_id === subscriptionId)
  return {
    ids: ofIt.map(({ id }) => id),
    texts: ofIt.map((one) => `${one.mrr_status} ${one.current_mrr_cents}`).toSorted(),
  }
}

/** Imports before and after the change, and compares the result with an import made only after it. */
async function afterwards(changed: readonly (StripeObject & { type: string })[]) {
  const own = await stageImport({ world: worldAt(0) })
  stage = own
  await own.importAll()
  const names = ['sub_grown', 'sub_only', 'sub_credited']
  const before = await Promise.all(names.map((name) => ledgerOf(own, name)))
  const world = worldAt(20, changed)
  own.simulator.setWorld(world)
  const run = await own.work(await own.start(lastHour(Date.parse(world.as_of) / 1000)))
  expect(run).toMatchObject({ status: 'completed', error: null, failed_records: 0 })
  const fresh = await own.another('Fresh')
  await fresh.importAll()
  expect(await own.dump()).toEqual(await fresh.dump())
  const after = await Promise.all(names.map((name) => ledgerOf(own, name)))
  const pairs = names.map((name, index) => [name, { before: before[index], after: after[index] }] as const)
  return Object.fromEntries(pairs)
}

describe('an invoice that changes after its import', () => {
  const voided = {
    status: 'void',
    status_transitions: { finalized_at: worldStart, voided_at: begunAt, paid_at: null },
  }

  it('R26 takes what it alone told with it when it is voided, and the events that stay keep their ids', async () => {
    const { sub_grown, sub_only, sub_credited } = await afterwards([
      changedTo('in_grown_1', 'invoice.voided', voided),
      changedTo('in_only_0', 'invoice.voided', voided),
    ])
    expect(sub_grown?.before?.texts).toEqual(['Churn 0', 'New 1000', 'Upgrade 3000'])
    expect(sub_grown?.after?.texts).toEqual(['Churn 0', 'New 1000'])
    expect(sub_grown?.before?.ids).toEqual(expect.arrayContaining(sub_grown?.after?.ids ?? []))
    expect(sub_only?.before?.texts).toEqual(['Churn 0', 'New 2000'])
    expect(sub_only?.after?.texts).toEqual([])
    expect(sub_credited?.after).toEqual(sub_credited?.before)
  })

  it('R29 leaves the ledger as it was when it is credited in full', async () => {
    const { sub_credited } = await afterwards([
      changedTo('in_credited_1', 'invoice.updated', { post_payment_credit_notes_amount: 2000 }),
    ])
    expect(sub_credited?.before?.texts).toEqual(['Churn 0', 'New 1000', 'Upgrade 2000'])
    expect(sub_credited?.after).toEqual(sub_credited?.before)
  })
})
