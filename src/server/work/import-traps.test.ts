import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { line } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { listOf } from '#simulators/stripe/testing/stripe-objects.ts'
import type { StripeObject, World } from '#simulators/stripe/world.ts'
import type { Log } from '../log.ts'
import { connectPayments } from './connect-payments.ts'
import { demoKey, type ImportStage, stageImport } from './import/test-support.ts'
import { lastHour } from './import/testing/moving-account.ts'

let stage: ImportStage | undefined
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  stage = await stageImport(...args)
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

/** The account some minutes later, with objects in the place of those with their id, and events. */
function later(minutes: number, put: readonly StripeObject[], events: readonly StripeObject[]): World {
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

async function refresh(own: ImportStage, world: World): Promise<Record<string, unknown[]>> {
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
    const own = await staged({ world: begun })
    await own.importAll()
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
    const own = await staged({ world: begun })
    await own.importAll()
    const at = nowSeconds + 10 * 60
    const visible = eventOf('customer.updated', { id: 'cus_one', object: 'customer' }, at)
    await refresh(own, later(10, [], [visible]))
    // It happened before the import that has just ended, and was not listed then.
    const renamed = { ...known(begun.customers, 'cus_two'), name: 'Late' }
    const hidden = eventOf('customer.updated', { id: 'cus_two', object: 'customer' }, at - 4 * 60)
    const dump = await refresh(own, later(15, [renamed], [visible, hidden]))
    expect(find(dump, 'customers', 'cus_two')).toMatchObject({ name: 'Late' })
  })
})

describe('what objects hold', () => {
  it('is emptied where it became empty, in whatever way that is told', async () => {
    const own = await staged({ world: begun })
    await own.importAll()
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

  it('is kept as far as something shows it: no metadata, addresses or descriptions', async () => {
    const secret = 'canary-7f3a'
    const marked = (one: StripeObject): StripeObject => ({
      ...one,
      metadata: { secret },
      description: secret,
      ...(one.object === 'customer' && {
        address: { line1: secret },
        phone: secret,
        shipping: { name: secret },
      }),
    })
    const put = [
      marked(known(begun.customers, 'cus_one')),
      marked(known(begun.subscriptions, 'sub_one')),
      marked(known(begun.invoices, 'in_one')),
    ]
    const own = await staged({ world: later(0, put, []) })
    await own.importAll()
    expect(JSON.stringify(await own.dump())).not.toContain(secret)
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
      // Twice, since a person waits.
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

describe('a key that may not read everything', () => {
  it('imports all but how invoices were paid when that is what it lacks, and test clocks', async () => {
    const own = await staged({ world: begun })
    const key = 'rk_test_without_payment_intents_and_test_clocks'
    await connectPayments(own.deps, own.organizationId, key)
    expect(await own.work(await own.start())).toMatchObject({ status: 'completed', error: null })
    const dump = await own.dump()
    expect(rowsOf(dump, 'invoices')).toHaveLength(begun.invoices.length)
    expect(rowsOf(dump, 'invoice_payments')).toEqual([])
    expect(rowsOf(dump, 'subscriptions').map(({ id }) => id)).not.toContain('sub_clock')
  })

  it('ends the import with the name of what it lost in the middle, and goes on when it has it again', async () => {
    const own = await staged({ world: begun })
    await connectPayments(own.deps, own.organizationId, demoKey)
    const fault = {
      kind: 'missing_permission',
      permission: 'rak_coupon_read',
      match: { pathPrefix: '/v1/coupons' },
    }
    await own.simulator.fetch(
      new Request('http://stripe.test/_faults', { method: 'POST', body: JSON.stringify(fault) }),
    )
    const failed = await own.work(await own.start())
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('Coupons') })
    expect(await own.work(await own.start())).toMatchObject({ status: 'completed', error: null })
    expect(rowsOf(await own.dump(), 'invoices')).toHaveLength(begun.invoices.length)
  })
})
