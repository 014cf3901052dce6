import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { inOrganization } from '../../store/database.ts'
import { updateSettings } from '../../store/settings.ts'
import { type Bench, enterprise, openBench, saveLedger } from '../push/test-support.ts'
import { matchesOf, recordIdOf } from './test-support.ts'

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
  // As many as a portal of some size has; the next complete listing would forget them.
  await query(
    db.ownerUrl,
    `insert into crm_companies (organization_id, portal_id, record_id, listed_at)
     select $1, $2, 'many' || n, '2026-01-01' from generate_series(1, 1000) as n`,
    [bench.organizationId, String(enterprise)],
  )
  return bench
}

/** How many requests a push made to lists and to searches of companies and contacts. */
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
