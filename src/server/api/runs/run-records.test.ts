import { afterAll, beforeAll, expect, it } from 'vitest'
import { listRunRecords } from '#contract/runs/run-records.ts'
import { getImportJob } from '#contract/sync.ts'
import { runRecordsMax } from '#domain/crm-record.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { enterprise } from '#test/push/open-bench.ts'

let world: TestWorld
let owner: Person
/** The runs of the scenario, by what they do. */
const runs: Record<string, string> = {}
let changed: { id: string; customer: string }
beforeAll(async () => {
  world = await newWorld({
    account: generatedWorld(215),
    crm: {
      portals: [{ hubId: enterprise, name: 'Home', domain: 'home.example', tier: 'enterprise' }],
      seedFrom: { companies: [], contacts: [] },
    },
  })
  owner = await world.person()
  await owner.connectStripe()
  await owner.connectHubspot()
  await runNow('first import', '/api/import/historical')
  await runNow('first sync', '/api/sync/push-all')
})
afterAll(() => world.close())

async function runNow(name: string, path: string): Promise<void> {
  await world.deps.sleep(60_000)
  const now = world.now().toISOString()
  const body = path === '/api/import/start' ? { startDate: now, endDate: now } : {}
  const answer = await owner.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  runs[name] = (await answer.json()).importId
  await world.drain()
}

async function recordsOf(name: string, kind: 'event' | 'subscription', more = '') {
  const answer = await owner.fetch(`/api/sync/import-status/${runs[name]}/records?kind=${kind}${more}`)
  expect(answer.status).toBe(200)
  return listRunRecords.response.parse(await answer.json())
}

const countsOf = async (name: string) =>
  (await (await owner.fetch(`/api/sync/import-status/${runs[name]}`)).json()).changes

/** Changes a living subscription in Stripe, as its webhook would tell. */
function change(fields: (at: number) => object): void {
  const { world: account } = world.stripe
  const living = account.subscriptions.find(({ id, status }) => changed?.id === id || status === 'active')
  const [event] = account.events ?? []
  if (!living || !event) throw new Error('nothing there')
  const created = Math.floor(world.now().getTime() / 1_000)
  const subscription = { ...living, ...fields(created) }
  changed = { id: living.id, customer: String(living['customer']) }
  const told = { id: `evt_change_${created}`, created, type: 'customer.subscription.updated' }
  world.stripe.setWorld({
    ...account,
    as_of: world.now().toISOString(),
    subscriptions: account.subscriptions.map((one) => (one.id === living.id ? subscription : one)),
    events: [...(account.events ?? []), { ...event, ...told, data: { object: subscription } }],
  })
}

it('keeps the first records of a first import and of a first sync, and no more, in pages', async () => {
  for (const [name, kind] of [
    ['first import', 'event'],
    ['first sync', 'event'],
    ['first import', 'subscription'],
    ['first sync', 'subscription'],
  ] as const) {
    const counts = await countsOf(name)
    const counted = kind === 'event' ? counts.events : counts.subscriptions
    const { records, totalCount } = await recordsOf(name, kind, '&limit=25')
    expect(totalCount).toBe(Math.min(counted, runRecordsMax))
    expect(new Set(records.map((one) => `${one.change} ${one.isChangedSince}`))).toEqual(
      new Set(['added false']),
    )
    const next = await recordsOf(name, kind, '&limit=25&page=2')
    const keys = [...records, ...next.records].map(({ recordKey }) => recordKey)
    expect(new Set(keys).size).toBe(Math.min(totalCount, 50))
    const days = records.flatMap(({ event }) => event?.transactionDate ?? [])
    expect(days).toEqual(days.toSorted().reverse())
    if (name === 'first sync')
      for (const { hubspotLink } of records) expect(hubspotLink).toContain(`/${enterprise}/record/`)
  }
  expect((await countsOf('first import')).events).toBeGreaterThan(runRecordsMax)
})

it('keeps the newest of more records than it may keep, whatever the order of the work', async () => {
  for (const [kind, table, time] of [
    ['event', 'events', 'occurred_at'],
    ['subscription', 'subscriptions', 'updated_at'],
  ]) {
    const newest = await query<{ at: Date }>(
      world.ownerUrl,
      `select ${time} as at from ${table} order by ${time} desc limit ${runRecordsMax}`,
    )
    expect(newest).toHaveLength(runRecordsMax)
    for (const name of ['first import', 'first sync']) {
      const kept = await query<{ at: Date }>(
        world.ownerUrl,
        `select x.${time} as at from run_records r join ${table} x on x.id = r.source_id
          where r.run_id = $1 and r.kind = $2 and r.change = 'added' order by x.${time} desc`,
        [runs[name], kind],
      )
      expect(kept, `${kind}s of the ${name}`).toEqual(newest)
    }
  }
})

it('names the one subscription and its event that a later import changed, and what the sync did with them', async () => {
  change((at) => ({ status: 'canceled', canceled_at: at, ended_at: at }))
  await runNow('churn', '/api/import/start')
  await runNow('sync of churn', '/api/sync/push-all')
  const imported = await recordsOf('churn', 'event')
  expect(imported.records).toMatchObject([
    {
      ...{ change: 'added', isChangedSince: false, subscriptionId: changed.id, subscription: null },
      event: { mrrStatus: 'Churn', customerId: changed.customer, relatedSubscriptionId: changed.id },
    },
  ])
  const rows = await recordsOf('churn', 'subscription')
  expect(rows).toMatchObject({
    totalCount: 1,
    records: [
      {
        ...{ recordKey: changed.id, change: 'changed', event: null },
        ...{ subscription: { status: 'canceled' }, differences: null },
      },
    ],
  })
  const [written] = (await recordsOf('sync of churn', 'subscription')).records
  expect(written).toMatchObject({
    ...{ recordKey: changed.id, change: 'changed', isChangedSince: false, hubspotLink: expect.any(String) },
    differences: [
      { field: 'status', before: 'active', after: 'canceled' },
      {
        ...{
          field: 'mrr',
          before: expect.stringMatching(/^[1-9]/),
          after: expect.stringMatching(/^0(\.00)?$/),
        },
        currency: { before: expect.stringMatching(/^[A-Z]{3}$/), after: expect.stringMatching(/^[A-Z]{3}$/) },
      },
      { field: 'nextRenewalOn', before: expect.stringMatching(/^\d{4}-/), after: '' },
      { field: 'endedAt', before: '', after: expect.stringMatching(/^\d{4}-.*Z$/) },
      { field: 'convertedMrr', currency: { before: 'USD', after: 'USD' } },
    ],
  })
  expect((await recordsOf('sync of churn', 'event')).records).toMatchObject([
    { change: 'added', hubspotLink: expect.any(String) },
  ])
})

it('tells in the earlier runs what later ones changed again or removed', async () => {
  change(() => ({ status: 'active', canceled_at: null, ended_at: null }))
  await runNow('return', '/api/import/start')
  await runNow('sync of return', '/api/sync/push-all')
  const gone = { event: null, subscription: { subscriptionId: changed.id, customerId: changed.customer } }
  expect((await recordsOf('return', 'event')).records).toMatchObject([
    { ...gone, change: 'removed', isChangedSince: false },
  ])
  expect((await recordsOf('sync of return', 'event')).records).toMatchObject([
    { ...gone, change: 'removed', isChangedSince: false },
  ])
  for (const name of ['churn', 'sync of churn']) {
    expect((await recordsOf(name, 'event')).records).toMatchObject([
      { ...gone, change: 'added', isChangedSince: true },
    ])
    expect((await recordsOf(name, 'subscription')).records).toMatchObject([
      { recordKey: changed.id, change: 'changed', isChangedSince: true },
    ])
  }
})

it('tells of a sync what it wrote over, and nothing where it does not know what stood there', async () => {
  const back = (await recordsOf('sync of return', 'subscription')).records[0]?.differences
  expect(back).toContainEqual({ field: 'status', before: 'canceled', after: 'active', currency: null })
  const [first] = (await recordsOf('first sync', 'subscription')).records
  expect(first).toMatchObject({ change: 'added', differences: null })
  await query(world.ownerUrl, `update customers set name = 'Renamed' where id = $1`, [changed.customer])
  await runNow('sync of name', '/api/sync/push-all')
  const renamed = (await recordsOf('sync of name', 'subscription')).records
  expect(renamed.find(({ recordKey }) => recordKey === changed.id)?.differences).toEqual([])
})

it('calls a subscription added that came to be since the import before', async () => {
  const { world: account } = world.stripe
  const { subscriptions } = account
  const known = subscriptions.find(({ id }) => id === changed.id)
  const [event] = account.events ?? []
  if (!known || !event) throw new Error('nothing there')
  const created = Math.floor(world.now().getTime() / 1_000)
  const made = { ...known, id: 'sub_made_now', created, start_date: created }
  const told = { id: 'evt_made', created, type: 'customer.subscription.created', data: { object: made } }
  world.stripe.setWorld({
    ...account,
    as_of: world.now().toISOString(),
    subscriptions: [...subscriptions, made],
    events: [...(account.events ?? []), { ...event, ...told }],
  })
  await runNow('new', '/api/import/start')
  const { records } = await recordsOf('new', 'subscription')
  expect(records).toContainEqual(expect.objectContaining({ recordKey: 'sub_made_now', change: 'added' }))
})

it('keeps nothing of a run that changed nothing, and nothing for another organization', async () => {
  await runNow('sync of new', '/api/sync/push-all')
  await runNow('idle', '/api/sync/push-all')
  expect(await recordsOf('idle', 'event')).toEqual({ records: [], totalCount: 0 })
  const stranger = await world.person()
  const address = `/api/sync/import-status/${runs['churn']}/records?kind=event`
  expect((await stranger.fetch(address)).status).toBe(404)
  expect((await owner.fetch(address.replace('kind=event', 'kind=invoice'))).status).toBe(400)
})

it('counts the links of records that a sync created among its links, and names what they lead to', async () => {
  const { records, totalCount } = await recordsOf('first sync', 'event', '&only=linked')
  expect(totalCount).toBe(runRecordsMax)
  for (const { change, links } of records) {
    expect(change).toBe('added')
    expect(links?.map(({ target }) => target)).toContain('subscription')
    expect(links?.every((link) => link.target === 'subscription' || link.name !== null)).toBe(true)
  }
  const targets = records.flatMap(({ links }) => links ?? [])
  expect(targets).toContainEqual(
    expect.objectContaining({ target: 'contact', name: expect.stringMatching(/@/) }),
  )
  expect((await recordsOf('first import', 'event', '&only=linked')).totalCount).toBe(0)
})

/** The link to the company of the next test. */
const linkOf = (change: 'linked' | 'unlinked') =>
  expect.objectContaining({ change, target: 'company', name: 'Made by Hand' })

it('names the records of which a sync only wrote or removed links, and says when they were linked again', async () => {
  const [waiting] = (await (await owner.fetch('/api/matches?state=pending')).json()).matches
  const ofCustomer = `/api/matches/${waiting.customerId}`
  await owner.post(`${ofCustomer}/create`, { companyName: 'Made by Hand' })
  await runNow('sync of links', '/api/sync/push-all')
  const job = getImportJob.response.parse(
    await (await owner.fetch(`/api/sync/import-status/${runs['sync of links']}`)).json(),
  )
  expect(job.changes).toMatchObject({ subscriptions: 0, events: 0 })
  for (const kind of ['subscription', 'event'] as const) {
    const { records, totalCount } = await recordsOf('sync of links', kind, '&only=linked')
    expect(totalCount).toBe(job.linked[kind === 'event' ? 'events' : 'subscriptions'])
    const row = { change: 'linked', isChangedSince: false, hubspotLink: expect.stringContaining('/record/') }
    for (const record of records) {
      expect(record).toMatchObject(row)
      expect(record.links).toContainEqual(linkOf('linked'))
      expect((record.event ?? record.subscription)?.customerId).toBe(waiting.customerId)
      expect((record.event ?? record.subscription)?.companyName).toBe('Made by Hand')
    }
    expect(records.length).toBeGreaterThan(0)
    expect((await recordsOf('sync of links', kind, '&only=changed')).totalCount).toBe(0)
  }
  await owner.post(`${ofCustomer}/unlink`)
  await runNow('sync without', '/api/sync/push-all')
  const { records } = await recordsOf('sync without', 'subscription')
  expect(records[0]).toMatchObject({ change: 'unlinked', isChangedSince: false, links: [linkOf('unlinked')] })
  await owner.post(`${ofCustomer}/create`, { companyName: 'Made by Hand' })
  await runNow('sync of links again', '/api/sync/push-all')
  expect((await recordsOf('sync of links again', 'event')).records[0]?.isChangedSince).toBe(false)
  for (const name of ['sync of links', 'sync without'])
    expect((await recordsOf(name, 'event')).records[0]?.isChangedSince).toBe(true)
})

it('forgets those of an erased customer in every run', async () => {
  const ofCustomer = async () =>
    (
      await query<{ count: number }>(
        world.ownerUrl,
        `select count(*)::int as count from run_records r
           join subscriptions s on s.id = r.subscription_id and s.customer_id = $1`,
        [changed.customer],
      )
    )[0]?.count
  expect(await ofCustomer()).toBeGreaterThan(0)
  await owner.post('/api/erasures', { customerId: changed.customer })
  expect(await ofCustomer()).toBe(0)
  expect((await recordsOf('churn', 'subscription')).totalCount).toBe(0)
  expect((await countsOf('churn')).subscriptions).toBe(1)
})
