import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveryOf, signatureHeader } from '#simulators/stripe/webhooks.ts'
import type { StripeObject } from '#simulators/stripe/world/world.ts'
import { saveSecret } from '#test/api/webhooks.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { chunkBytes, endlessRequest } from '#test/http/endless-request.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { createApp } from '../../app.ts'
import { createDeliveryLimit } from '../../http/call-limit.ts'

const secret = 'whsec_of_this_endpoint'
let world: TestWorld
let person: Person
let address = ''

async function openWorld(): Promise<void> {
  world = await newWorld({ account: generatedWorld(3) })
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical')
  await world.drain()
  address = await enterSecret(person)
}
function inWorldsOfTheirOwn(): void {
  beforeEach(openWorld)
  afterEach(() => world.close())
}

async function enterSecret(by: Person, signingSecret: string | null = secret): Promise<string> {
  const { status, body } = await saveSecret(by, signingSecret)
  expect([status, JSON.stringify(body).includes(secret)]).toEqual([200, false])
  return body.address
}

const nowSeconds = () => Math.floor(world.now().getTime() / 1000)

function eventOf(id: string, more: object = {}): StripeObject {
  const subscription = world.stripe.world.subscriptions[0]
  if (!subscription) throw new Error('no subscription')
  return {
    id,
    object: 'event',
    type: 'customer.subscription.updated',
    created: nowSeconds(),
    livemode: false,
    data: { object: subscription },
    ...more,
  }
}

async function send(request: Request): Promise<{ status: number; text: string }> {
  const answer = await world.app.fetch(request)
  return { status: answer.status, text: await answer.text() }
}
const deliver = (event: StripeObject, url = address, by = secret, at = nowSeconds()) =>
  send(deliveryOf(event, { url, secret: by }, at))

type Kept = { id: string; settled: boolean }
const kept = () =>
  query<Kept>(
    world.ownerUrl,
    `select id, settled_at is not null as settled from payment_changes where received_at is not null order by id`,
  )
const runs = () => query(world.ownerUrl, `select kind, status from runs where options ->> 'isHint' = 'true'`)

const refused = { status: 400, text: expect.stringContaining('The delivery could not be verified.') }
const accepted = { status: 200, text: '{"received":true}' }

describe('a delivery', () => {
  inWorldsOfTheirOwn()

  it('is kept once and brings one import of what it names, however often it comes', async () => {
    await later()
    for (let count = 0; count < 3; count += 1) expect(await deliver(eventOf('evt_1'))).toEqual(accepted)
    expect(await kept()).toEqual([{ id: 'evt_1', settled: false }])
    expect(await runs()).toEqual([{ kind: 'import', status: 'in_progress' }])
    world.stripe.requests.clear()
    await world.drain()
    const id = world.stripe.world.subscriptions[0]?.id ?? ''
    expect(world.stripe.requests.entries.filter(({ path }) => path.includes(id))).toHaveLength(1)
    expect(await kept()).toEqual([{ id: 'evt_1', settled: true }])
    expect(await deliver(eventOf('evt_1'))).toEqual(accepted)
    expect(await runs()).toEqual([{ kind: 'import', status: 'completed' }])
  })

  it.each([-300, 300])('is taken %i seconds from its signature', async (seconds) => {
    expect(await deliver(eventOf('evt_drift'), address, secret, nowSeconds() + seconds)).toEqual(accepted)
  })

  it('of the thin style brings the same, once beside its snapshot', async () => {
    await later()
    const event = eventOf('evt_1')
    const thin = deliveryOf(event, { url: address, secret, style: 'thin' }, nowSeconds())
    expect([await send(thin), await deliver(event)]).toEqual([accepted, accepted])
    expect(await kept()).toEqual([{ id: 'evt_1', settled: false }])
    await world.drain()
    expect(await kept()).toEqual([{ id: 'evt_1', settled: true }])
  })

  it('is taken under any of the secrets in force', async () => {
    const body = JSON.stringify(eventOf('evt_rolled'))
    const headers = {
      'stripe-signature': signatureHeader(body, ['whsec_the_one_before', secret], nowSeconds()),
    }
    expect(await send(new Request(address, { method: 'POST', body, headers }))).toEqual(accepted)
  })

  it('of another organization cannot be signed with the own secret', async () => {
    const other = await world.person()
    await other.connectStripe()
    const theirs = await enterSecret(other, 'whsec_of_the_other_one')
    expect(theirs).not.toBe(address)
    expect(await deliver(eventOf('evt_cross'), theirs)).toEqual(refused)
    expect(await deliver(eventOf('evt_cross'), theirs, 'whsec_of_the_other_one')).toEqual(accepted)
    const changes = 'select organization_id from payment_changes where received_at is not null'
    expect(await query(world.ownerUrl, changes)).toEqual([{ organization_id: other.organizationId }])
  })

  it('meets nobody once Stripe is disconnected or the secret taken back', async () => {
    await enterSecret(person, null)
    expect(await deliver(eventOf('evt_1'))).toEqual(refused)
    expect(await enterSecret(person)).toBe(address)
    expect(await deliver(eventOf('evt_1'))).toEqual(accepted)
    await person.post('/api/stripe/disconnect')
    expect(await deliver(eventOf('evt_2'))).toEqual(refused)
    for (const table of ['connections', 'payment_webhooks', 'webhook_addresses', 'payment_changes'])
      expect(await query(world.ownerUrl, `select * from ${table}`), table).toEqual([])
  })
})

describe('what is not taken', () => {
  beforeAll(openWorld)
  afterAll(() => world.close())

  it.each<[string, (event: StripeObject) => Promise<{ status: number; text: string }>]>([
    ['signed with another secret', (event) => deliver(event, address, 'whsec_of_somebody')],
    ['signed too long ago', (event) => deliver(event, address, secret, nowSeconds() - 301)],
    ['signed too far ahead', (event) => deliver(event, address, secret, nowSeconds() + 301)],
    ['sent to an address that nobody has', (event) => deliver(event, `${address}x`)],
    [
      'changed by one byte',
      async (event) => {
        const signed = deliveryOf(event, { url: address, secret }, nowSeconds())
        const body = (await signed.text()).replace('evt_', 'evx_')
        return send(new Request(address, { method: 'POST', headers: signed.headers, body }))
      },
    ],
    [
      'written otherwise than it was signed, though it says the same',
      (event) => {
        const signature = signatureHeader(JSON.stringify(event), [secret], nowSeconds())
        const body = JSON.stringify(event, null, 2)
        return send(
          new Request(address, { method: 'POST', headers: { 'stripe-signature': signature }, body }),
        )
      },
    ],
    [
      'without a signature',
      (event) => send(new Request(address, { method: 'POST', body: JSON.stringify(event) })),
    ],
    [
      'with a mark before the body that the signature does not cover',
      async (event) => {
        const signed = deliveryOf(event, { url: address, secret }, nowSeconds())
        const body = `\uFEFF${await signed.text()}`
        return send(new Request(address, { method: 'POST', headers: signed.headers, body }))
      },
    ],
  ])('%s is refused in the same words and leaves nothing', async (_, attempt) => {
    expect(await attempt(eventOf('evt_forged'))).toEqual(refused)
    expect([await kept(), await runs()]).toEqual([[], []])
  })

  it.each([
    ['of the other mode', { livemode: true }],
    ['of an account connected to this one', { account: 'acct_1Another' }],
    ['of another account of the same Stripe organization', { context: 'acct_1Another' }],
    [
      'of a kind that is not kept',
      { type: 'charge.refunded', data: { object: { id: 'ch_1', object: 'charge' } } },
    ],
    [
      'of an invoice that does not exist yet',
      { type: 'invoice.upcoming', data: { object: { object: 'invoice' } } },
    ],
  ])('%s is thanked for and leaves nothing', async (_, more) => {
    expect(await deliver(eventOf('evt_other', more))).toEqual(accepted)
    expect(await kept()).toEqual([])
  })

  it.each([
    ['without an id', { id: '' }],
    ['of the thin style and says no time', { object: 'v2.core.event', created: 'soon' }],
  ])('that is %s is refused', async (_, more) => {
    expect(await deliver({ ...eventOf('evt_bad'), ...more } as StripeObject)).toEqual(refused)
  })

  it('that is larger than any event is refused, and read no further than that', async () => {
    const { request, taken } = endlessRequest(address, { 'stripe-signature': 't=1,v1=x' })
    expect((await send(request)).status).toBe(413)
    expect(taken()).toBeLessThan(1_200_000)
    const headers = { 'stripe-signature': 't=1,v1=x', 'content-length': '1000001' }
    const { request: declared, taken: read } = endlessRequest(address, headers)
    expect((await send(declared)).status).toBe(413)
    expect(read()).toBeLessThanOrEqual(chunkBytes)
  })

  it.each(['', 'sk_test_1', 'whsec_', 'whsec_short'])('takes no %j for a secret', async (signingSecret) => {
    const message = 'Enter the signing secret of the webhook endpoint in Stripe. It starts with whsec_.'
    const answer = await saveSecret(person, signingSecret)
    expect([answer.status, answer.body.error?.message]).toEqual([400, message])
  })
})

describe('signed deliveries', () => {
  inWorldsOfTheirOwn()

  it('that come faster than any provider sends wait their turn, kept without loss when sent again', async () => {
    let ms = 0
    const limitDeliveries = createDeliveryLimit(() => ms, { perSecond: 1, atOnce: 2 })
    const app = createApp(world.deps, { limitDeliveries })
    const ask = (event: StripeObject, by = secret) =>
      app.fetch(deliveryOf(event, { url: address, secret: by }, nowSeconds()))
    for (let count = 0; count < 150; count += 1) await ask(eventOf('evt_forged'), 'whsec_of_nobody')
    ms += 60_000
    await later()
    for (const id of ['evt_1', 'evt_2']) expect((await ask(eventOf(id))).status).toBe(200)
    const refusal = await ask(eventOf('evt_3'))
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1'])
    ms += 1_000
    expect((await ask(eventOf('evt_3'))).status).toBe(200)
    expect((await kept()).map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_3'])
  })

  it('of the other mode are told, and those of other accounts are not', async () => {
    const told = async () => (await person.fetch('/api/stripe/webhook')).json()
    await deliver(eventOf('evt_1', { account: 'acct_1Another', livemode: true }))
    expect(await told()).toMatchObject({ lastAcceptedAt: null, otherMode: null })
    await deliver(eventOf('evt_2', { livemode: true }))
    const otherMode = { of: 'live', at: expect.any(String) }
    expect(await told()).toMatchObject({ lastAcceptedAt: null, lastRefusedAt: null, otherMode })
    await enterSecret(person, 'whsec_of_the_right_mode')
    expect(await told()).toMatchObject({ otherMode: null })
  })

  it('are told by how the last ones went, and never with the secret', async () => {
    await deliver(eventOf('evt_1'))
    await deliver(eventOf('evt_2'), address, 'whsec_wrong_one')
    const answer = await person.fetch('/api/stripe/webhook')
    expect(await answer.json()).toEqual({
      address,
      page: expect.stringMatching(/\/test\/webhooks\/create$/),
      events: expect.arrayContaining(['invoice.paid']),
      secretHint: 'whsec_••••oint',
      lastAcceptedAt: expect.any(String),
      lastRefusedAt: expect.any(String),
      otherMode: null,
    })
    const [row] = await query(world.ownerUrl, 'select sealed_secret from payment_webhooks')
    expect(JSON.stringify(row)).not.toContain(secret)
  })
})

describe('strangers', () => {
  inWorldsOfTheirOwn()

  const from = (remoteAddress: string, request: Request) =>
    world.app.fetch(request, { incoming: { socket: { remoteAddress } } })
  const genuine = (id: string) => deliveryOf(eventOf(id), { url: address, secret }, nowSeconds())
  const forged = () => deliveryOf(eventOf('evt_guess'), { url: `${address}x`, secret }, nowSeconds())

  it('keep the first genuine delivery from no other network out', async () => {
    for (let count = 0; count < 100; count += 1) await from('192.0.2.66', forged())
    expect((await from('192.0.2.66', forged())).status).toBe(429)
    expect((await from('198.51.100.7', genuine('evt_first'))).status).toBe(200)
  })

  it('are refused unread once they have guessed too often, and so is what is not signed', async () => {
    for (let count = 0; count < 100; count += 1) await from('192.0.2.66', forged())
    const flood = endlessRequest(address, { 'stripe-signature': 't=1,v1=x' })
    expect((await from('192.0.2.66', flood.request)).status).toBe(429)
    expect(flood.taken()).toBeLessThanOrEqual(chunkBytes)
    const unsigned = endlessRequest(address, {})
    expect((await from('198.51.100.7', unsigned.request)).status).toBe(400)
    expect(unsigned.taken()).toBeLessThanOrEqual(chunkBytes)
  })

  it('wait after a hundred guesses, while known senders get through', async () => {
    await deliver(eventOf('evt_known'))
    for (let count = 0; count < 100; count += 1)
      expect((await deliver(eventOf('evt_guess'), `${address}${count}`)).status).toBe(400)
    expect((await deliver(eventOf('evt_guess'), `${address}x`)).status).toBe(429)
    expect(await deliver(eventOf('evt_known'))).toEqual(accepted)
  })
})

/** After the minute in which an import leaves hints to be collected. */
const later = () => world.deps.sleep(61_000)
