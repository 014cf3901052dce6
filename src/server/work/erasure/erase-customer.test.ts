import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { declareSecret } from '#test/leaks.ts'
import { enterprise } from '#test/push/open-bench.ts'

const name = 'Wilhelmina Quartz'
const email = 'Wilhelmina@Quartzite.example'
/** Everything that identifies her, in lower case: her current and earlier names, and a domain that is hers alone. */
const words = ['wilhelmina', 'quartz', 'mina topaz', 'topaz@']
/** What else Stripe knows about her, which we never keep. */
const others = ['+49 30 5550199', 'amethyststrasse', 'prefers mornings', 'her birthday']

let world: TestWorld
let owner: Person
let ids: string[]
let before: Figures

type Figures = Awaited<ReturnType<typeof figures>>

beforeAll(async () => {
  // Every line that server and worker log, from the first import to the last, is searched for these (test/leaks.ts).
  const asWritten = [name, email, 'Mina Topaz', 'topaz@quartzite.example', ...others]
  for (const word of new Set(asWritten.flatMap((each) => [each, each.toLowerCase()])))
    declareSecret('who an erased person is', word, ['log'])
  world = await newWorld({
    account: account(),
    crm: {
      portals: [{ hubId: enterprise, name: 'Home', domain: 'home.example', tier: 'enterprise' }],
      seedFrom: { companies: [{ name: 'Harbour', domain: 'harbour.example' }], contacts: [] },
    },
  })
  owner = await world.person({ email: 'olive@orchard.example', organization: 'Orchard' })
  await owner.connectStripe()
  await owner.connectHubspot()
  await importAndPush()
  await query(
    world.ownerUrl,
    `insert into run_errors (organization_id, run_id, source_id, message)
     select organization_id, id, 'x', 'The contact wilhelmina@quartzite.example was not created' from runs limit 1`,
  )
  await query(
    world.ownerUrl,
    'update crm_companies set created_at = now(), contact_count = 7, deal_count = 7, last_activity_at = now()',
  )
  for (const [view, search] of [
    [name, 'status=active'],
    ['One of ours', new URLSearchParams({ search: `"${name}"` })],
    ['Hers', new URLSearchParams({ status: 'active', search: email })],
    ['Kwarz', 'search=Kwarz'],
  ] as const)
    await owner.post('/api/views/save', { list: 'customers', name: view, query: String(search) })
  before = await figures()
})
afterAll(() => world.close())

/** A generated account in which two customers are this person, and invoices contain an earlier name of the first. */
function account() {
  const { customers, invoices, ...rest } = generatedWorld(12)
  const [first = '', second = ''] = customers.map(({ id }) => id)
  ids = [first, second]
  const herself = {
    ...{ name, email, phone: '+49 30 5550199', description: 'Prefers mornings' },
    address: { line1: 'Amethyststrasse 7' },
    shipping: { name, phone: '+49 30 5550199', address: { line1: 'Amethyststrasse 7' } },
    metadata: { note: 'Her birthday is in May' },
  }
  const own = (customer: unknown) => ids.includes(String(customer))
  const described = (invoice: StripeObject) => ({
    ...invoice,
    customer_name: 'Mina Topaz',
    customer_email: 'topaz@quartzite.example',
    customer_phone: '+49 30 5550199',
    customer_address: { line1: 'Amethyststrasse 7' },
    description: 'Prefers mornings',
    footer: 'Her birthday is in May',
    lines: {
      ...Object(invoice['lines']),
      data: Object(invoice['lines']).data.map((line: object) => ({ ...line, description: `For ${name}` })),
    },
  })
  return readWorld({
    ...rest,
    customers: customers.map((customer) => (own(customer.id) ? { ...customer, ...herself } : customer)),
    invoices: invoices.map((invoice) => (own(invoice['customer']) ? described(invoice) : invoice)),
  })
}

async function importAndPush(): Promise<void> {
  for (const path of ['/api/import/historical', '/api/sync/push-all']) {
    await owner.post(path)
    await world.drain()
  }
}

/** Every amount in the database, by its place. */
async function figures() {
  const one = (text: string) => query(world.ownerUrl, text)
  return {
    stats: await (await owner.fetch('/api/dashboard/stats')).json(),
    events: await one('select id, mrr_change_cents, currency, occurred_at from events order by id'),
    subscriptions: await one(
      'select id, current_mrr_cents, currency, quantity from subscriptions order by id',
    ),
    snapshots: await one('select month, currency, mrr_cents from snapshots order by 1, 2'),
    attached: await one(
      `select part, sum(mrr_cents) from list_totals where list = 'customers' group by 1 order by 1`,
    ),
    customers: await one('select id, mrr_by_currency, is_attached from customers order by id'),
    invoices: await one(`select id, total_discount_cents, (select sum((line ->> 5)::bigint)
      from json_array_elements(lines) line) as cents from invoices order by id`),
  }
}

/** The words that a text contains. */
const found = (text: string) => words.filter((word) => text.toLowerCase().includes(word))

function hubspotText(only?: 'ours'): string {
  const portal = world.hubspot.portal(enterprise)
  const types = portal.schemas().map(({ typeId }) => typeId)
  return JSON.stringify([...types, ...(only ? [] : ['0-1', '0-2'])].map((type) => portal.everMade(type)))
}

/** What the index says of the companies of erased people, besides their names: once each. */
const factsOfErased = () =>
  query(
    world.ownerUrl,
    `select distinct created_at, contact_count, deal_count, last_activity_at from crm_companies
      where name like 'Erased customer%'`,
  )
const noFacts = [{ created_at: null, contact_count: null, deal_count: null, last_activity_at: null }]

async function list(): Promise<
  { id: string; pseudonym: string; hubspotRewrittenAt: string | null; hubspotContact: string }[]
> {
  return (await (await owner.fetch('/api/erasures')).json()).erasures
}

describe('a person who is erased', () => {
  it('was known everywhere before', async () => {
    const dump = await dumpOf(world.ownerUrl)
    expect(found(dump)).toEqual(words)
    expect(others.filter((word) => dump.toLowerCase().includes(word))).toEqual([])
    expect(found(hubspotText('ours'))).toContain('wilhelmina')
    expect(found(JSON.stringify(world.hubspot.portal(enterprise).everMade('0-1')))).toContain('wilhelmina')
  })

  it('is in no table any more, as both of her customers, and no figure moves', async () => {
    await owner.post('/api/erasures', { customerId: ids[0] })
    expect(await list()).toHaveLength(2)
    const told = () => query(world.ownerUrl, `select subject from audit_log where action = 'customer_erased'`)
    expect(await told()).toHaveLength(2)
    await owner.post('/api/erasures', { customerId: ids[1] })
    expect(await told()).toHaveLength(2)
    const dump = await dumpOf(world.ownerUrl)
    expect(dump.split('\n').filter((row) => found(row).length > 0)).toEqual([])
    expect(await query(world.ownerUrl, 'select name from list_views')).toEqual([{ name: 'Kwarz' }])
    expect(await figures()).toEqual(before)
    const [customer] = await query(world.ownerUrl, `select name, email from customers where id = '${ids[0]}'`)
    expect(customer).toMatchObject({
      name: expect.stringMatching(/^Erased customer [0-9a-f]{10}$/),
      email: null,
    })
    expect(await factsOfErased()).toEqual(noFacts)
  })

  it('does not come back by a search, nor by an import of everything and a push', async () => {
    for (const word of words) {
      const answer = await owner.fetch(`/api/stripe/subscriptions?search=${encodeURIComponent(word)}`)
      expect(await answer.json()).toMatchObject({ totalCount: 0 })
    }
    const names = await query(world.ownerUrl, 'select id, name from customers order by id')
    await importAndPush()
    expect((await dumpOf(world.ownerUrl)).split('\n').filter((row) => found(row).length > 0)).toEqual([])
    expect(await query(world.ownerUrl, 'select id, name from customers order by id')).toEqual(names)
    expect(await factsOfErased()).toEqual(noFacts)
    expect(await figures()).toEqual(before)
  })

  it('is in none of our records in HubSpot after the push, which is told', async () => {
    expect(found(hubspotText('ours'))).toEqual([])
    for (const { hubspotRewrittenAt } of await list()) expect(hubspotRewrittenAt).not.toBeNull()
  })

  it('is nowhere in HubSpot once its privacy deletion was taken, and is not made there again', async () => {
    for (const { id, hubspotContact } of await list()) {
      if (hubspotContact === 'kept') await owner.post(`/api/erasures/${id}/delete-contact`)
    }
    expect(found(hubspotText())).toEqual([])
    await importAndPush()
    expect(found(hubspotText())).toEqual([])
    expect(found(await dumpOf(world.ownerUrl))).toEqual([])
    expect(await figures()).toEqual(before)
  })

  it('does not come back after the account was read anew from nothing', async () => {
    await owner.post('/api/stripe/disconnect')
    await query(world.ownerUrl, 'delete from matches')
    for (const table of ['invoices', 'invoice_payments', 'subscriptions', 'customer_texts', 'customers'])
      await query(world.ownerUrl, `delete from ${table}`)
    await owner.connectStripe()
    await importAndPush()
    expect((await dumpOf(world.ownerUrl)).split('\n').filter((row) => found(row).length > 0)).toEqual([])
    const [row] = await query<{ count: number }>(
      world.ownerUrl,
      'select count(*)::int as count from customers where erasure_id is not null',
    )
    expect(row?.count).toBe(2)
  })

  it('is certified without a word of who it was', async () => {
    for (const { id, pseudonym } of await list()) {
      const answer = await owner.fetch(`/api/erasures/${id}/certificate`)
      const text = await answer.text()
      expect(text).toContain(`Known from now on as: ${pseudonym}`)
      expect(text).toContain('deleted for good')
      expect(found(text)).toEqual([])
    }
  })
})
