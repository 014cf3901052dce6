import { afterEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

let stage: ImportStage | undefined
async function staged(options: Parameters<typeof stageImport>[0]): Promise<ImportStage> {
  stage = await stageImport(options)
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const world = smallWorld()
const idsIn = (dump: Record<string, unknown[]>, table: string) =>
  (dump[table] as { id: string }[]).map(({ id }) => id)

/** Lists that were requested from their beginning, without a bound of creation. */
const fromTheStart = (asked: readonly URL[]) => [
  ...new Set(
    asked
      .filter(({ pathname, searchParams }) => pathname !== '/v1/events' && searchParams.has('limit'))
      .filter(({ search }) => !/created|starting_after/.test(search))
      .map(({ pathname }) => pathname),
  ),
]

describe('a key that may not read everything', () => {
  it('imports all but how invoices were paid when that is what it lacks, and test clocks, and says so', async () => {
    const own = await staged({ world })
    const key = 'rk_test_without_payment_intents_and_test_clocks'
    const { message } = await connectPayments(own.deps, own.organizationId, key)
    expect(message).toContain('The key lacks read permission for: Payment Intents')
    expect(await own.work(await own.start())).toMatchObject({ status: 'completed', error: null })
    const said = await query<{ line: string }>(own.db.ownerUrl, 'select line from run_logs')
    expect(said.map(({ line }) => line)).toContain(
      'Left out how invoices were paid: the key may not read it.',
    )
    const dump = await own.dump()
    expect(idsIn(dump, 'invoices')).toHaveLength(world.invoices.length)
    expect(idsIn(dump, 'invoice_payments')).toEqual([])
    expect(idsIn(dump, 'subscriptions')).not.toContain('sub_clock')
  })

  // Both wordings of Stripe name no permission; the account is named, and the rest is told by what was asked.
  it.each([
    'This is a restricted API key, but the required permissions are not available for use by restricted keys.',
    'Having more permissions would allow this request to continue.',
  ])('is taken at its refusals, also where they say: %s', async (ending) => {
    const own = await staged({
      world,
      around: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (answer.status !== 403) return answer
        const text = (await answer.text()).replace(/Enabling .* to continue\./, ending)
        return new Response(text, { status: 403, headers: answer.headers })
      },
    })
    const connect = (key: string) => connectPayments(own.deps, own.organizationId, key)
    await expect(connect('rk_test_without_invoices_and_coupons')).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('lacks read permission for: Invoices, Coupons.'),
    })
    await expect(connect('rk_test_without_subscriptions')).rejects.toMatchObject({
      message: expect.stringContaining('lacks read permission for: Subscriptions.'),
    })
    const { message } = await connect('rk_test_without_account_and_payment_intents_and_test_clocks')
    expect(message).toContain('The key lacks read permission for: Payment Intents.')
    expect(await query(own.db.ownerUrl, 'select account_id from connections')).toEqual([
      { account_id: 'acct_1Small' },
    ])
    expect(await own.work(await own.start())).toMatchObject({ status: 'completed', error: null })
    expect(idsIn(await own.dump(), 'invoices')).toHaveLength(world.invoices.length)
  })

  // Both wordings of Stripe that name the permission: those before 2026, and those of today.
  it.each([
    "Having the 'rak_plan_read' permission would allow this request to continue.",
    `Enabling \\"Prices Read\\" ('plan_read') permissions on this key would allow this request to continue.`,
    "Enabling Prices Read ('plan_read') permissions on this key would allow this request to continue. You can edit permissions at https://dashboard.stripe.com/apikeys",
  ])('loses one by the name that Stripe gives: %s', async (ending) => {
    let isLost = false
    const own = await staged({
      world,
      around: (fetch) => (request) => {
        if (!isLost || !request.url.includes('/v1/prices?')) return fetch(request)
        const text = `{"error":{"type":"invalid_request_error","message":"Permission denied. The provided key 'rk_test_***abcdef' does not have the required permissions for this endpoint on account 'acct_1Small'. ${ending}"}}`
        return Promise.resolve(new Response(text, { status: 403 }))
      },
    })
    await connectPayments(own.deps, own.organizationId, demoKey)
    isLost = true
    expect(await own.work(await own.start())).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('lacks read permission for Prices. Set Prices to Read on the key'),
    })
  })

  it.each([
    [401, '.', 'the IP address of this server.'],
    [403, ' (203.0.113.7).', 'the IP address of this server, 203.0.113.7.'],
  ])('is told of its addresses where Stripe answers %i%s', async (status, ending, address) => {
    let isLimited = true
    const message = `The API key provided does not allow requests from your IP address${ending}`
    const own = await staged({
      world,
      around: (fetch) => (request) =>
        isLimited
          ? Promise.resolve(Response.json({ error: { type: 'invalid_request_error', message } }, { status }))
          : fetch(request),
    })
    const told = `This Stripe API key does not allow requests from ${address} Add it to the addresses that the key allows in Stripe, then try again.`
    const connect = () => connectPayments(own.deps, own.organizationId, demoKey)
    await expect(connect()).rejects.toMatchObject({ kind: 'unauthorized', message: told })
    isLimited = false
    await connect()
    isLimited = true
    expect(await own.work(await own.start())).toMatchObject({ status: 'failed', error: told })
    const warnings = () => query(own.db.ownerUrl, 'select warning from connections')
    expect(await warnings()).toEqual([{ warning: told }])
    isLimited = false
    expect(await own.work(await own.start())).toMatchObject({ status: 'completed' })
    expect(await warnings()).toEqual([{ warning: null }])
  })

  const clocks = '/v1/test_helpers/test_clocks'
  it.each<[list: string, kinds: string[], permission: string, name: string, again: string[]]>([
    [
      'subscriptions',
      ['current_subscriptions', 'ended_subscriptions'],
      'subscription',
      'Subscriptions',
      ['/v1/subscriptions', '/v1/subscription_items', clocks],
    ],
    ['products', ['products'], 'product', 'Products', ['/v1/products']],
    ['prices', ['prices_active', 'prices_archived'], 'plan', 'Prices', ['/v1/prices']],
    ['coupons', ['coupons'], 'coupon', 'Coupons', ['/v1/coupons']],
    ['customers', ['customers'], 'customer', 'Customers', ['/v1/customers', clocks]],
    ['invoices', ['invoices'], 'invoice', 'Invoices', ['/v1/invoices', '/v1/invoices/in_many/lines']],
  ])(
    'fails without %s, by name, and reads nothing else anew when it has them again',
    async (list, kinds, permission, name, again) => {
      const others = `select kind from import_windows where not is_done and not kind = any($1)`
      const asked: URL[] = []
      let isLost = false
      const own = await staged({
        world,
        around: (fetch) => async (request) => {
          asked.push(new URL(request.url))
          if (isLost && request.url.includes(`/v1/${list}?`) && !request.url.includes('test_clock='))
            await expect.poll(() => query(own.db.ownerUrl, others, [kinds])).toEqual([])
          return fetch(request)
        },
      })
      await connectPayments(own.deps, own.organizationId, demoKey)
      const fault = {
        kind: 'missing_permission',
        permission: `rak_${permission}_read`,
        match: { pathPrefix: `/v1/${list}?`, times: null },
      }
      await own.simulator.fetch(
        new Request('http://stripe.test/_faults', { method: 'POST', body: JSON.stringify(fault) }),
      )
      isLost = true
      const failed = await own.work(await own.start())
      expect(failed.status).toBe('failed')
      expect(failed.error).toBe(
        `The Stripe API key lacks read permission for ${name}. Set ${name} to Read on the key in Stripe, then try again.`,
      )
      own.simulator.faults.clear()
      isLost = false
      asked.length = 0
      expect(await own.work(await own.start())).toMatchObject({ status: 'completed', error: null })
      expect(fromTheStart(asked).toSorted()).toEqual(again.toSorted())
      const fresh = await own.another('Fresh')
      await fresh.importAll()
      expect(await own.dump()).toEqual(await fresh.dump())
    },
  )
})
