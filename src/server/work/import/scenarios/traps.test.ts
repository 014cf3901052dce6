import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { line } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { listOf } from '#simulators/stripe/testing/stripe-objects.ts'
import { readWorld, type SimulatedWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { lastHour } from '#test/import/moving-account.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import type { Log } from '../../../log.ts'
import { type KeptLine, lineOf } from '../../../store/payments/invoice-lines.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

let stage: ImportStage | undefined
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  stage = await stageImport(...args)
  return stage
}
async function imported(): Promise<ImportStage> {
  stage = await importedStage({ world: begun })
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

type Row = Readonly<Record<string, unknown>>
const rowsOf = (dump: Record<string, unknown[]>, table: string) => (dump[table] ?? []) as Row[]
const find = (dump: Record<string, unknown[]>, table: string, id: string) =>
  rowsOf(dump, table).find((row) => row['id'] === id)

const begun = smallWorld()
const nowSeconds = Date.parse(begun.as_of) / 1000

/** The account some minutes later, with objects replaced by id, and events. */
function later(
  minutes: number,
  put: readonly StripeObject[],
  events: readonly StripeObject[],
): SimulatedWorld {
  const ids = new Set(put.map(({ id }) => id))
  const replaced = <T extends { id: string }>(rows: readonly T[], object: string) => [
    ...rows.filter(({ id }) => !ids.has(id)),
    ...put.filter((one) => one.object === object),
  ]
  return {
    ...begun,
    as_of: new Date((nowSeconds + minutes * 60) * 1000).toISOString(),
    customers: replaced(begun.customers, 'customer'),
    subscriptions: replaced(begun.subscriptions, 'subscription'),
    invoices: replaced(begun.invoices, 'invoice'),
    events: [...(begun.events ?? []), ...events],
  }
}

function eventOf(type: string, object: object, created: number): StripeObject {
  return { id: `evt_${type}_${created}`, object: 'event', created, type, data: { object } }
}

function known<T extends { id: string }>(rows: readonly T[], id: string): StripeObject {
  const found = rows.find((row) => row.id === id)
  if (!found) throw new Error(`the account has no ${id}`)
  return { object: '', created: 0, ...found }
}

async function refresh(own: ImportStage, world: SimulatedWorld): Promise<Record<string, unknown[]>> {
  own.simulator.setWorld(world)
  const run = await own.work(await own.start(lastHour(Date.parse(world.as_of) / 1000)))
  expect(run).toMatchObject({ status: 'completed', error: null })
  return own.dump()
}

describe('long lists inside an object', () => {
  const lines = Array.from({ length: 250 }, (_, index) => line(`il_${index}`, { invoice: 'in_many' }))
  const long = {
    ...known(begun.invoices, 'in_many'),
    lines: listOf('/v1/invoices/in_many/lines', lines),
  }

  it('are read over as many pages as they have', async () => {
    const own = await staged({ world: later(0, [long], []) })
    await own.importAll()
    expect(own.simulator.requests.counters.byPath['/v1/invoices/:id/lines']).toBe(3)
    expect(find(await own.dump(), 'invoices', 'in_many')?.['lines']).toHaveLength(250)
  })

  it('are read anew when the line at which to go on is gone', async () => {
    const own = await staged({ world: later(0, [long], []) })
    const without = { ...long, lines: listOf('', lines.toSpliced(99, 1)) }
    await connectPayments(own.deps, own.organizationId, demoKey)
    const answer = await own.simulator.fetch(
      new Request('http://stripe.test/_faults', {
        method: 'POST',
        body: JSON.stringify({
          kind: 'change',
          change: { put: { invoices: [without] } },
          match: { pathPrefix: '/v1/invoices/in_many/lines', nth: 2 },
        }),
      }),
    )
    expect(answer.status).toBe(201)
    expect((await own.work(await own.start())).status).toBe('completed')
    const kept = find(await own.dump(), 'invoices', 'in_many')?.['lines'] as Row[]
    expect(kept).toHaveLength(249)
    expect(kept.map(({ id }) => id)).not.toContain('il_99')
  })
})

describe('events', () => {
  it('are read for ids alone: one in the shape of an old version, and one without an id', async () => {
    const own = await imported()
    const now = nowSeconds + 600
    const renamed = { ...known(begun.customers, 'cus_two'), name: 'Two & Sons' }
    const old = {
      id: 'cus_two',
      object: 'customer',
      name: 'Old name',
      subscription: { current_period_end: 1 },
    }
    const dump = await refresh(
      own,
      later(
        20,
        [renamed],
        [
          eventOf('customer.updated', old, now),
          eventOf('invoice.upcoming', { object: 'invoice', lines: listOf('', []) }, now + 1),
          eventOf('invoice.updated', { object: 'invoice' }, now + 2),
        ],
      ),
    )
    expect(find(dump, 'customers', 'cus_two')).toMatchObject({ name: 'Two & Sons' })
  })

  it('that show up some minutes late are not passed over', async () => {
    const own = await imported()
    const at = nowSeconds + 10 * 60
    const visible = eventOf('customer.updated', { id: 'cus_one', object: 'customer' }, at)
    await refresh(own, later(10, [], [visible]))
    // It happened before the import that just ended, but was not listed then.
    const renamed = { ...known(begun.customers, 'cus_two'), name: 'Late' }
    const hidden = eventOf('customer.updated', { id: 'cus_two', object: 'customer' }, at - 4 * 60)
    const dump = await refresh(own, later(15, [renamed], [visible, hidden]))
    expect(find(dump, 'customers', 'cus_two')).toMatchObject({ name: 'Late' })
  })
})

const marker = 'canary-7f3a'
const anything = { [marker]: `${marker} \u0000 {"a":` }
const hidden = Object.fromEntries(
  ['address', 'billing_details', 'customer_address', 'customer_phone', 'customer_shipping', 'footer']
    .concat('lookup_key', 'nickname', 'phone', 'shipping', 'statement_descriptor')
    .map((field) => [field, { line1: marker }]),
)

/** Puts a marker into all metadata, at every depth, and into every other field that nothing shows. */
function marked(world: SimulatedWorld): SimulatedWorld {
  const text = JSON.stringify(world, (_, one: unknown) => {
    if (typeof one !== 'object' || one === null) return one
    if (!('object' in one) || one.object === 'list')
      return 'metadata' in one ? { ...one, metadata: anything } : one
    const described = one.object === 'line_item' ? {} : { description: marker }
    return { ...one, ...hidden, ...described, metadata: anything }
  })
  return readWorld(JSON.parse(text))
}

/** All rows of all tables, as text. */
async function everythingIn({ db }: ImportStage): Promise<[table: string, text: string][]> {
  const tables = await query<{ name: string }>(
    db.ownerUrl,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  return Promise.all(
    tables.map(async ({ name }): Promise<[string, string]> => {
      const rows = await query(db.ownerUrl, `select to_jsonb(t) as row from "${name}" t`)
      return [name, JSON.stringify(rows)]
    }),
  )
}

describe('what objects hold', () => {
  it('is emptied where it became empty, in whatever way that is told', async () => {
    const own = await imported()
    const { name: _, ...nameless } = known(begun.customers, 'cus_one')
    const bare = {
      ...nameless,
      object: 'customer',
      email: null,
      invoice_settings: { default_payment_method: null },
    }
    const event = eventOf('customer.updated', { id: 'cus_one', object: 'customer' }, nowSeconds + 600)
    const dump = await refresh(own, later(15, [{ ...bare, created: nowSeconds }], [event]))
    expect(find(dump, 'customers', 'cus_one')).toMatchObject({
      name: null,
      email: null,
      payment_method: null,
    })
  })

  it('is kept as far as something shows it: no metadata, no addresses, no descriptions but those of lines', async () => {
    const intent = { id: 'pi_one', object: 'payment_intent', created: 1, payment_method: 'pm_card' }
    const first = marked({ ...begun, payment_intents: [intent] })
    const own = await staged({ world: first })
    expect(await own.importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect((await own.dump())['invoice_payments']).toMatchObject([{ payment_method: { last4: '4242' } }])
    const events = [
      first.customers,
      first.subscriptions,
      first.products,
      first.prices,
      first.coupons,
      first.invoices,
    ]
      .flat()
      .map((one) => {
        const type = one.object === 'subscription' ? 'customer.subscription' : one.object
        return { ...eventOf(`${type}.updated`, one, nowSeconds + 300), id: `evt_${one.id}` }
      })
    await refresh(own, { ...first, as_of: later(15, [], []).as_of, events })
    expect(own.simulator.requests.counters.byPath).toMatchObject({
      '/v1/products/:id': 2,
      '/v1/coupons/:id': 1,
    })
    const kept = new Map(await everythingIn(own))
    expect(kept.get('invoices')).toContain('Customer cus_one')
    for (const [table, text] of kept) expect(text, table).not.toContain(marker)
    const lines = find(await own.dump(), 'invoices', 'in_one')?.['lines'] as KeptLine[]
    expect(lines.map(lineOf)).toMatchObject([{ description: '1 seat' }])
  })
})

describe('an answer that stops in the middle', () => {
  it('is given up after half a minute', async () => {
    let asked = 0
    const own = await staged({
      world: begun,
      around: (fetch) => async (request) => {
        const answer = await fetch(request)
        asked += 1
        return answer
      },
    })
    const fault = { kind: 'stall', match: { times: null } }
    await own.simulator.fetch(
      new Request('http://stripe.test/_faults', { method: 'POST', body: JSON.stringify(fault) }),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const connecting = connectPayments(own.deps, own.organizationId, demoKey).catch(String)
      // The check tries only twice, because a person waits for its answer.
      for (const tries of [1, 2]) {
        while (asked < tries) await new Promise((resolve) => setImmediate(resolve))
        await vi.advanceTimersByTimeAsync(30_000)
      }
      expect(await connecting).toMatch(/could not be reached/)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('what is said of an import', () => {
  it('never holds the key, in no line of the log and no error', async () => {
    const said: unknown[] = []
    const say = (...words: unknown[]) => void said.push(...words)
    const log = { trace: say, debug: say, info: say, warn: say, error: say, fatal: say }
    const own = await staged({ world: begun, log: log as unknown as Log })
    await connectPayments(own.deps, own.organizationId, demoKey)
    for (const kind of ['reset', 'status', 'rate_limit', 'html', 'expired_key'])
      await own.simulator.fetch(
        new Request('http://stripe.test/_faults', {
          method: 'POST',
          body: JSON.stringify({
            kind,
            match: { pathPrefix: '/v1/invoices?', times: kind === 'expired_key' ? null : 1 },
          }),
        }),
      )
    const failed = await own.work(await own.start())
    expect(failed.status).toBe('failed')
    expect(said.length).toBeGreaterThan(3)
    const all = inspect([said, failed], { depth: 20, showHidden: true })
    expect(all).not.toContain(demoKey)
    expect(all).not.toContain('Bearer')
  })
})
