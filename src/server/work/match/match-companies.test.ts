import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { matchesOf } from '#test/match/matches.ts'
import {
  type Bench,
  dumpCrm,
  enterprise,
  type LedgerRowSeed,
  openBench,
  saveLedger,
} from '#test/push/open-bench.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { updateSettings } from '../../store/setup/settings.ts'
import { matchCompanies } from './match-companies.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** Longer than an index row may be, and random, so that PostgreSQL cannot compress it. */
const longName = Array.from({ length: 4_000 }, (_, n) =>
  String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
).join('')

const seed: CrmSeed = {
  companies: [
    { name: 'Alpha', domain: 'alpha.example' },
    { name: 'Beta', domain: 'https://www.Beta.example/about' },
    { name: 'Gamma', domain: 'gamma.example', additionalDomains: ['gamma-shop.example'] },
    { name: 'Twin One', domain: 'twin.example' },
    { name: 'Twin Two', domain: 'twin.example' },
    { name: 'Gmail', domain: 'gmail.com' },
    { name: 'Harbour Uni', domain: 'harbour.ac.uk' },
    { name: longName, domain: 'long.example' },
  ],
  contacts: [
    {
      email: 'pat@private.example',
      additionalEmails: ['pat@second.example'],
      companyDomain: 'alpha.example',
    },
    { email: 'sam@gmail.com', companyDomain: 'gamma.example' },
    { email: 'lone@twin.example' },
  ],
}

const rows: (LedgerRowSeed & { expected: string })[] = [
  { id: '1', email: 'pat@private.example', expected: 'linked contact_email Alpha' },
  { id: '2', email: ' PAT@Second.example', expected: 'linked contact_email Alpha' },
  { id: '3', email: 'kim@beta.example', expected: 'linked company_domain Beta' },
  { id: '4', email: 'kim@mail.beta.example', expected: 'linked company_domain Beta' },
  { id: '5', email: 'kim@gamma-shop.example', expected: 'linked company_domain Gamma' },
  { id: '6', email: 'lone@twin.example', expected: 'pending several_candidates Twin One,Twin Two' },
  { id: '7', email: 'kim@gmail.com', expected: 'pending free_mail' },
  { id: '8', email: 'sam@gmail.com', expected: 'linked contact_email Gamma' },
  { id: '9', email: null, expected: 'pending no_email' },
  { id: '10', email: 'kim@nobody.example', expected: 'pending no_candidate' },
  { id: '11', email: 'kim@other.ac.uk', expected: 'pending no_candidate' },
  { id: '12', email: 'kim@long.example', expected: `linked company_domain ${longName}` },
].map((row) => ({ ...row, name: `Customer ${row.id}`, mrrCents: 100 }))

async function benchWith(switches: { autoCreateContacts: boolean; autoCreateCompanies: boolean }) {
  const bench = await openBench(db, { seed })
  await bench.connect()
  await saveLedger(bench, rows)
  await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    updateSettings(tenant, switches),
  )
  return bench
}

const off = { autoCreateContacts: false, autoCreateCompanies: false }
const on = { autoCreateContacts: true, autoCreateCompanies: true }
const matchAll = (bench: Bench) => matchCompanies(bench.deps, bench.organizationId)

describe('matching', () => {
  it('climbs the ladder for each customer and creates nothing when that is switched off', async () => {
    const bench = await benchWith(off)
    const before = dumpCrm(bench)
    expect(await matchAll(bench)).toEqual({ processed: 12, matched: 7, hadCompany: 0, pendingMatchCount: 5 })
    expect(await matchesOf(bench)).toEqual(Object.fromEntries(rows.map(({ id, expected }) => [id, expected])))
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('creates companies and contacts where nobody is found, never for free mail or a choice', async () => {
    const bench = await benchWith(on)
    await matchAll(bench)
    const matches = await matchesOf(bench)
    expect(matches).toMatchObject({
      '6': 'pending several_candidates Twin One,Twin Two',
      '7': 'pending free_mail',
      '10': 'linked created Customer 10',
      '11': 'linked created Customer 11',
    })
    const { company, contact, associations } = dumpCrm(bench)
    expect(company).toHaveLength(seed.companies.length + 2)
    expect(company.join()).toContain('"tributary_domain":"other.ac.uk"')
    expect(contact.filter((record) => record.includes('kim@'))).toHaveLength(7)
    expect(associations).toContain('contact kim@nobody.example -> company nobody.example')
    const second = await matchAll(bench)
    expect(second.matched).toBe(0)
    expect(dumpCrm(bench)).toEqual({ company, contact, associations, subscription: [], event: [] })
  })

  it('makes one company for several customers of one domain', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(
      bench,
      ['x', 'y', 'z'].map((id) => ({ id, name: `Name ${id}`, email: `${id}@many.example`, mrrCents: 1 })),
    )
    await matchAll(bench)
    expect(dumpCrm(bench).company).toHaveLength(1)
    expect(dumpCrm(bench).contact).toHaveLength(3)
  })

  it('leaves what a person decided, also when the address changes', async () => {
    const bench = await benchWith(off)
    await matchAll(bench)
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql
        .updateTable('matches')
        .set({ state: 'ignored', evidence: 'person', company_name: null })
        .where('customer_id', '=', 'cus_10')
        .execute(),
    )
    await saveLedger(bench, [
      { id: '10', name: 'Customer 10', email: 'kim@alpha.example', mrrCents: 1 },
      { id: '3', name: 'Customer 3', email: 'kim@gamma.example', mrrCents: 1 },
    ])
    await matchAll(bench)
    expect(await matchesOf(bench)).toMatchObject({
      '10': 'ignored person',
      '3': 'linked company_domain Beta',
    })
  })

  it('follows a merge of companies in the CRM', async () => {
    const bench = await benchWith(on)
    await bench.push()
    const ids = bench.simulator
      .portal(enterprise)
      .records('0-2')
      .filter(({ properties }) => properties['name'] === 'Beta' || properties['name'] === 'Alpha')
      .map(({ id }) => id)
    await bench.control('/_control/merge', {
      hubId: enterprise,
      type: '0-2',
      primaryId: ids[0],
      secondaryId: ids[1],
    })
    bench.simulator.requests.clear()
    const run = await bench.push()
    expect(await bench.errorsOf(run.id)).toEqual([])
    const calls = bench.simulator.requests.list('/crm/associations').map(({ path }) => path)
    expect(calls.filter((path) => path.endsWith('/archive'))).toEqual([])
    const ties = dumpCrm(bench).associations.filter((tie) => tie.startsWith('subscription sub_3 -> company'))
    expect(ties).toEqual(['subscription sub_3 -> company alpha.example'])
  })

  it('takes a contact for what it is when its address turns out to be taken', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [{ id: 'x', name: 'X', email: 'late@late.example', mrrCents: 1 }])
    const list = bench.deps.crm.listContacts
    const crm = {
      ...bench.deps.crm,
      // Somebody creates the contact by hand just after we looked for it.
      listContacts: async (...given: Parameters<typeof list>) => {
        const page = await list(...given)
        await bench.control('/_control/create', {
          hubId: enterprise,
          type: '0-1',
          properties: { email: 'first@late.example', hs_additional_emails: 'late@late.example' },
        })
        return page
      },
    }
    await bench.push({ crm })
    expect(dumpCrm(bench).contact).toHaveLength(1)
    expect(dumpCrm(bench).associations).toContain('subscription sub_x -> contact first@late.example')
  })
})
