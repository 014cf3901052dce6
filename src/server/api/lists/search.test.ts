import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchRecords } from '#contract/lists/search.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import {
  addConnections,
  addCustomer,
  addEvent,
  addInvoice,
  addMatch,
  addSubscription,
} from '#test/store/seed.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, fill)
})
afterAll(() => world.close())

async function fill(tenant: Tenant): Promise<void> {
  await addConnections(tenant)
  await addCustomer(tenant, { id: 'cus_birch', name: 'Birch Clinic' })
  await addCustomer(tenant, { id: 'cus_elm', name: 'Elm Press' })
  await addMatch(tenant, { customerId: 'cus_birch', companyName: 'Birch Holding', state: 'linked' })
  await addSubscription(tenant, { id: 'sub_birch', customer_id: 'cus_birch' })
  await addSubscription(tenant, { id: 'sub_elm', customer_id: 'cus_elm' })
  await addInvoice(tenant, { id: 'in_elm', customerId: 'cus_elm', number: 'JVYLZQDE-0002' })
  await addEvent(tenant, { id: 'evt_elm', customer_id: 'cus_elm', subscription_id: 'sub_elm' })
  const record = { organization_id: tenant.organizationId, portal_id: '4711', state: 'confirmed' as const }
  await tenant.sql
    .insertInto('crm_links')
    .values([
      { ...record, kind: 'subscription', source_id: 'sub_birch', record_id: '880011' },
      { ...record, kind: 'event', source_id: 'evt_elm', record_id: '880022' },
    ])
    .execute()
  for (let at = 0; at < 40; at += 1) await addCustomer(tenant, { id: `cus_many_${at}`, name: `Many ${at}` })
}

async function find(query: string) {
  const response = await person.fetch(`/api/search?query=${encodeURIComponent(query)}`)
  const { hits, isId } = searchRecords.response.parse(await response.json())
  return { isId, hits: hits.map(({ kind, id }) => `${kind} ${id}`) }
}

it('titles each record as its list does, and shows what was typed', async () => {
  const response = await person.fetch('/api/search?query=birch%20cl')
  const { hits } = searchRecords.response.parse(await response.json())
  expect(hits.map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
    'Birch Clinic: Birch Holding',
    expect.stringMatching(/^Birch Holding: Birch Clinic · /),
  ])
})

it('finds customers by name with their subscriptions', async () => {
  expect(await find('birch cl')).toEqual({
    isId: false,
    hits: ['customer cus_birch', 'subscription sub_birch'],
  })
})

it.each([
  ['cus_birch', 'customer cus_birch'],
  ['sub_elm', 'subscription sub_elm'],
  ['in_elm', 'invoice in_elm'],
  ['JVYLZQDE-0002', 'invoice in_elm'],
  ['jvylzqde-0002', 'invoice in_elm'],
  ['880011', 'subscription sub_birch'],
  ['880022', 'subscription sub_elm'],
])('leads from the id %s to one record', async (id, hit) => {
  expect(await find(id)).toEqual({ isId: true, hits: [hit] })
})

it('shows a few of many', async () => {
  expect((await find('many')).hits).toHaveLength(6)
  expect((await find('cus_many')).hits).toHaveLength(6)
})

it('finds the others beside a customer who was renamed often', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_cedar', name: 'Cedar' })
    for (let at = 0; at < 8; at += 1)
      await tenant.sql
        .updateTable('customers')
        .set({ name: `Cedar ${at}` })
        .where('id', '=', 'cus_cedar')
        .execute()
    await addCustomer(tenant, { id: 'cus_cedar_mill', name: 'Cedar Mill' })
  })
  expect((await find('cedar')).hits).toEqual(['customer cus_cedar', 'customer cus_cedar_mill'])
})

it('takes no notice of accents in searches, nor in orders by name', async () => {
  const found = await world.person()
  await inOrganization(world.deps.database, found.organizationId, async (tenant) => {
    await addConnections(tenant)
    for (const [at, name] of [
      'Zenit',
      'Ägir',
      'Größe',
      'ŁÓDŹ Foods',
      'Ørsted',
      'Arbor',
      'Œuvre',
      'Nguyễn',
      '株式会社',
    ].entries()) {
      await addCustomer(tenant, { id: `cus_${at}`, name })
      await addSubscription(tenant, {
        id: `sub_${at}`,
        customer_id: `cus_${at}`,
        product_name: `Plan ${name}`,
      })
    }
  })
  const read = async (path: string) =>
    (await (await found.fetch(path)).json()) as Record<string, { customerName: string }[]>
  const searched = {
    agir: 'Ägir',
    ÄGIR: 'Ägir',
    grosse: 'Größe',
    GRÖSSE: 'Größe',
    'lodz f': 'ŁÓDŹ Foods',
    orsted: 'Ørsted',
    oeuvre: 'Œuvre',
    nguyen: 'Nguyễn',
    株式: '株式会社',
  }
  for (const [text, name] of Object.entries(searched)) {
    const search = encodeURIComponent(text)
    const { hits } = await read(`/api/search?query=${search}`)
    expect(hits, text).toMatchObject([{ kind: 'customer', title: name }, { kind: 'subscription' }])
    for (const list of ['subscriptions', 'customers'] as const) {
      const rows = await read(
        list === 'customers'
          ? `/api/customers?search=${search}`
          : `/api/stripe/subscriptions?search=${search}`,
      )
      expect(
        rows[list]?.map(({ customerName }) => customerName),
        `${list} ${text}`,
      ).toEqual([name])
    }
  }
  const inOrder = ['Ägir', 'Arbor', 'Größe', 'ŁÓDŹ Foods', 'Nguyễn', 'Œuvre', 'Ørsted', 'Zenit', '株式会社']
  for (const [path, list] of [
    ['/api/customers?sort=customerName&order=asc', 'customers'],
    ['/api/stripe/subscriptions?sort=companyName&order=asc', 'subscriptions'],
    ['/api/stripe/subscriptions?sort=customerName&order=asc', 'subscriptions'],
    ['/api/stripe/subscriptions?sort=productName&order=asc', 'subscriptions'],
  ] as const)
    expect(
      (await read(path))[list]?.map(({ customerName }) => customerName),
      path,
    ).toEqual(inOrder)
})

it('finds first what begins with the text, then words that do, and among equals the most MRR', async () => {
  const found = await world.person()
  await inOrganization(world.deps.database, found.organizationId, async (tenant) => {
    await addConnections(tenant)
    // More than are collected contain the text in their address.
    for (let from = 0; from < 1_200; from += 100)
      await tenant.sql
        .insertInto('customers')
        .values(
          Array.from({ length: 100 }, (_, at) => ({
            organization_id: tenant.organizationId,
            ...{ id: `cus_${from + at}`, name: `Other ${from + at}`, email: `zephyr@co${from + at}.example` },
            ...{ created_at: new Date(), reporting_mrr_cents: from + at === 1_150 ? 900_000 : 1 },
          })),
        )
        .execute()
    for (const [id, name, current_mrr_cents] of [
      ['cus_a', '=SUM(A1:A9)', 5],
      ['cus_b', 'Zephyr yards', 100],
      ['cus_c', 'New zephyr', 70_000],
      ['cus_d', 'Zephyr studio GmbH', 56_400],
      ['cus_e', 'Old-Zephyr', 80_000],
    ] as const) {
      await addCustomer(tenant, { id, name, email: 'zephyr@b.example' })
      await addSubscription(tenant, { id: `sub_${id}_1`, customer_id: id })
      await addSubscription(tenant, { id: `sub_${id}_2`, customer_id: id, current_mrr_cents })
    }
  })
  const response = await found.fetch('/api/search?query=ZEPHYR')
  const { hits } = searchRecords.response.parse(await response.json())
  const ids = (kind: string) => hits.filter((hit) => hit.kind === kind).map(({ id }) => id)
  expect(ids('customer')).toEqual(['cus_d', 'cus_b', 'cus_e', 'cus_c', 'cus_1150', 'cus_a'])
  expect(ids('subscription').slice(0, 4)).toEqual([
    ...['sub_cus_d_2', 'sub_cus_b_2', 'sub_cus_b_1', 'sub_cus_d_1'],
  ])
})

it('refuses a text that says nothing', async () => {
  expect((await person.fetch('/api/search?query=%20c')).status).toBe(400)
})

it('calls no record by the beginning of its id', async () => {
  expect(await find('sub_el')).toEqual({ isId: false, hits: ['subscription sub_elm'] })
  expect(await find('JVYLZ')).toEqual({ isId: false, hits: ['invoice in_elm'] })
})

it('finds what a link of Stripe or HubSpot leads to, and the subscription of an event', async () => {
  for (const pasted of [
    'https://dashboard.stripe.com/acct_1AbC/test/subscriptions/sub_birch?x=1',
    'https://app.hubspot.com/contacts/4711/record/2-36035001/880011',
  ])
    expect(await find(pasted), pasted).toEqual({ isId: true, hits: ['subscription sub_birch'] })
  expect(await find('evt_elm')).toEqual({ isId: true, hits: ['subscription sub_elm'] })
  const listed = await person.fetch(
    `/api/customers?search=${encodeURIComponent('https://dashboard.stripe.com/customers/cus_elm')}`,
  )
  expect(await listed.json()).toMatchObject({ customers: [{ customerId: 'cus_elm' }] })
})
