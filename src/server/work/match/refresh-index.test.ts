import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf, recordIdOf } from '#test/match/matches.ts'
import { type Bench, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { updateSettings } from '../../store/setup/settings.ts'
import { matchCompanies } from './match-companies.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const hour = 60 * 60_000

async function largePortal(): Promise<Bench> {
  const bench = await openBench(db, {
    seed: { companies: [{ name: 'Alpha', domain: 'alpha.example' }], contacts: [] },
  })
  await bench.connect()
  await saveLedger(bench, [{ id: 'free', name: 'Free', email: 'kim@gmail.com', mrrCents: 1 }])
  await bench.push()
  // The size of a larger portal; the next complete listing would remove these rows.
  await query(
    db.ownerUrl,
    `insert into crm_companies (organization_id, portal_id, record_id, listed_at)
     select $1, $2, 'many' || n, '2026-01-01' from generate_series(1, 1000) as n`,
    [bench.organizationId, String(enterprise)],
  )
  await query(db.ownerUrl, 'update crm_listings set companies = 1001 where organization_id = $1', [
    bench.organizationId,
  ])
  return bench
}

/** How many list and search requests for companies and contacts a push made. */
async function lookUps(bench: Bench): Promise<{ lists: number; searches: number }> {
  bench.simulator.requests.clear()
  bench.clock.now += hour
  await bench.push({ retriesFailed: true })
  const calls = bench.simulator.requests.list('/crm/objects/2026-09/0-')
  return {
    lists: calls.filter(({ method }) => method === 'GET').length,
    searches: calls.filter(({ path }) => path.endsWith('/search')).length,
  }
}

describe('the index of a portal', () => {
  it('is listed whole when it is small, and searched for changes when it is large, but listed once a day', async () => {
    const bench = await largePortal()
    expect(await lookUps(bench)).toEqual({ lists: 0, searches: 2 })
    bench.clock.now += 20 * hour
    expect(await lookUps(bench)).toEqual({ lists: 2, searches: 0 })
    expect(await lookUps(bench)).toEqual({ lists: 2, searches: 0 })
  })

  it('is listed whole after the clock was put back, since a search would begin after what changed', async () => {
    const bench = await largePortal()
    bench.clock.now -= 3 * hour
    expect(await lookUps(bench)).toEqual({ lists: 2, searches: 0 })
  })

  it('keeps a company and a contact that a list leaves out while they can be read', async () => {
    const bench = await openBench(db, { seed: { companies: [], contacts: [] } })
    await bench.connect()
    await saveLedger(bench, [{ id: 'a', name: 'Acme', email: 'pay@acme.example', mrrCents: 1 }])
    await bench.push()
    const nothing = async () => ({ rows: [], after: null })
    const crm = { ...bench.deps.crm, listCompanies: nothing, listContacts: nothing }
    await bench.push({ crm })
    expect(await matchesOf(bench)).toEqual({ a: 'linked created Acme' })
    const contactId = recordIdOf(bench, '0-1', 'email', 'pay@acme.example')
    await bench.control('/_control/archive', { hubId: enterprise, type: '0-1', id: contactId })
    bench.clock.now += hour
    await bench.push({ crm })
    const [match] = await query(
      db.ownerUrl,
      'select contact_record_id from matches where organization_id = $1',
      [bench.organizationId],
    )
    expect(match).toEqual({ contact_record_id: null })
  })

  it('knows by search what was made and edited since, secondary domains and ties included', async () => {
    const bench = await largePortal()
    await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      updateSettings(tenant, { autoCreateContacts: false, autoCreateCompanies: false }),
    )
    const rows = ['new', 'second', 'tied'].map((id) => ({
      id,
      name: id,
      email: `kim@${id}.example`,
      mrrCents: 1,
    }))
    await saveLedger(bench, rows)
    const make = (type: string, properties: object) =>
      bench.control('/_control/create', { hubId: enterprise, type, properties })
    await make('0-2', { name: 'New Company', domain: 'new.example' })
    await bench.control('/_control/edit', {
      hubId: enterprise,
      type: '0-2',
      id: recordIdOf(bench, '0-2', 'name', 'Alpha'),
      properties: { hs_additional_domains: 'second.example' },
    })
    await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
    await make('0-1', { email: 'kim@tied.example' })
    expect(await lookUps(bench)).toEqual({ lists: 0, searches: 2 })
    expect(await matchesOf(bench)).toMatchObject({
      new: 'linked company_domain New Company',
      second: 'linked company_domain Alpha',
      tied: 'linked contact_email tied.example',
    })
  })
})

describe('a waiting customer whose contact somebody ties to its company, in a large portal', () => {
  it.each([
    [true, { retriesFailed: true }],
    [false, { retriesFailed: true }],
    [false, { retriesFailed: false, isScheduled: true }],
  ])('is attached by the next sync, at one request (a change of the contact: %s, %j)', async (...given) => {
    const [associationsMoveContacts, options] = given
    const bench = await largePortal()
    await bench.control('/_control/settings', { hubId: enterprise, associationsMoveContacts })
    await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      updateSettings(tenant, { autoSyncEnabled: true }),
    )
    bench.clock.now += hour
    await bench.push(options)
    expect(await matchesOf(bench)).toEqual({ free: 'pending free_mail' })
    const contact = recordIdOf(bench, '0-1', 'email', 'kim@gmail.com')
    const company = recordIdOf(bench, '0-2', 'name', 'Alpha')
    bench.clock.now += hour
    await bench.ask('PUT', `/crm/objects/2026-09/0-1/${contact}/associations/default/0-2/${company}`)
    bench.clock.now += hour
    bench.simulator.requests.clear()
    await bench.push(options)
    expect(await matchesOf(bench)).toEqual({ free: 'linked contact_email Alpha' })
    const asked = bench.simulator.requests.list('/crm/associations/2026-09/0-1/')
    expect(asked).toHaveLength(associationsMoveContacts ? 2 : 1)
  })

  it('is attached to a company too new to be found by search', async () => {
    const bench = await largePortal()
    const contact = recordIdOf(bench, '0-1', 'email', 'kim@gmail.com')
    bench.clock.now += hour
    const made = { hubId: enterprise, type: '0-2', properties: { name: 'Just Made' } }
    await bench.control('/_control/lags', { searchLagMs: 60_000 })
    await bench.control('/_control/create', made)
    const company = recordIdOf(bench, '0-2', 'name', 'Just Made')
    await bench.ask('PUT', `/crm/objects/2026-09/0-1/${contact}/associations/default/0-2/${company}`)
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ free: 'linked contact_email Just Made' })
  })

  it('is asked for in full requests, and nobody else is', async () => {
    const bench = await largePortal()
    const many = `from generate_series(1, 1200) as n`
    for (const statement of [
      `insert into customers (organization_id, id, email, created_at)
       select $1, 'cus_' || n, 'kim' || n || '@gmail.com', now() ${many}`,
      `insert into subscriptions (organization_id, id, customer_id, status, body, currency, created_at)
       select $1, 'sub_' || n, 'cus_' || n, 'active', '{}', 'usd', now() ${many}`,
      `insert into crm_contacts (organization_id, portal_id, record_id, emails, listed_at)
       select $1, '${enterprise}', 'contact' || n, array['kim' || n || '@gmail.com'], '2026-01-01' ${many}`,
    ])
      await query(db.ownerUrl, statement, [bench.organizationId])
    await query(db.ownerUrl, 'analyze')
    await saveLedger(bench, [{ id: 'a', name: 'A', email: 'kim@alpha.example', mrrCents: 1 }])
    bench.clock.now += hour
    bench.simulator.requests.clear()
    await matchCompanies(bench.deps, bench.organizationId)
    const asked = bench.simulator.requests.list('/crm/associations/2026-09/0-1/')
    // New ones are read one by one; these are the batches.
    expect(asked.flatMap(({ inputs }) => (inputs > 1 ? inputs : []))).toEqual([1_000, 201])
  })
})

describe('what is gone from the portal', () => {
  const archive = (bench: Bench, type: '0-1' | '0-2', property: string, value: string) =>
    bench.control('/_control/archive', {
      hubId: enterprise,
      type,
      id: recordIdOf(bench, type, property, value),
    })

  it('gives its customers back to the review, and is not made again', async () => {
    const bench = await openBench(db, {
      seed: { companies: [{ name: 'Alpha', domain: 'alpha.example' }], contacts: [] },
    })
    await bench.connect()
    await saveLedger(bench, [
      { id: 'a', name: 'A', email: 'kim@alpha.example', mrrCents: 1 },
      { id: 'b', name: 'B', email: 'kim@beta.example', mrrCents: 1 },
    ])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked company_domain Alpha', b: 'linked created B' })
    await archive(bench, '0-2', 'name', 'Alpha')
    await archive(bench, '0-2', 'name', 'B')
    await archive(bench, '0-1', 'email', 'kim@beta.example')
    await bench.push()
    await bench.push({ retriesFailed: true })
    expect(await matchesOf(bench)).toEqual({ a: 'pending company_gone', b: 'pending company_gone' })
    const portal = bench.simulator.portal(enterprise)
    expect([portal.records('0-2').length, portal.records('0-1').length]).toEqual([0, 1])
    const ties = portal.associations(portal.schemas()[0]?.typeId ?? '', '0-2')
    expect(ties).toEqual([])
  })

  it('is looked for anew where something else was found', async () => {
    const twin = { domain: 'twin.example' }
    const bench = await openBench(db, {
      seed: { companies: [{ name: 'One', ...twin }], contacts: [] },
    })
    await bench.connect()
    await saveLedger(bench, [{ id: 't', name: 'T', email: 'kim@twin.example', mrrCents: 1 }])
    await bench.push()
    await bench.control('/_control/create', {
      hubId: enterprise,
      type: '0-2',
      properties: { name: 'Two', ...twin },
    })
    await archive(bench, '0-2', 'name', 'One')
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ t: 'linked company_domain Two' })
  })
})
