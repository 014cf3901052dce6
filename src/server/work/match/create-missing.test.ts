import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { contactTies, matchesOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { listRunDetails } from '../../store/runs/run-details.ts'
import { updateSettings } from '../../store/setup/settings.ts'
import { forecastMatching, matchCompanies } from './match-companies.ts'
import { decideDomain } from './match-rules.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const forbidden = new ProviderError('forbidden', 'Not allowed.')

const settings = (bench: Bench, patch: Parameters<typeof updateSettings>[1]) =>
  inOrganization(bench.deps.database, bench.organizationId, (tenant) => updateSettings(tenant, patch))

const creations = (bench: Bench) =>
  bench.simulator.requests.list('/crm/objects/2026-09/0-1').filter(({ path }) => path.endsWith('/create'))
    .length

describe('a contact that HubSpot refuses', () => {
  it('is parked with the reason, and tried again only when its address changes', async () => {
    const bench = await openBench(db)
    await bench.connect()
    const demand = (names: string[]) =>
      bench.control('/_control/settings', { hubId: enterprise, adminRequired: { '0-1': names } })
    await demand(['firstname'])
    const row = { id: 'x', name: 'X', mrrCents: 1 }
    await saveLedger(bench, [{ ...row, email: 'kim@parked.example' }])
    const first = await bench.push()
    expect((await bench.errorsOf(first.id)).join()).toMatch(
      /The contact kim@parked\.example was not created: .*firstname/,
    )
    await demand([])
    bench.simulator.requests.clear()
    const second = await bench.push({ retriesFailed: true })
    expect([creations(bench), await bench.errorsOf(second.id)]).toEqual([0, []])
    await saveLedger(bench, [{ ...row, email: 'kim@changed.example' }])
    await bench.push()
    expect(creations(bench)).toBe(1)
    expect(dumpCrm(bench).associations).toContain('subscription sub_x -> contact kim@changed.example')
  })

  it('is tried again when a person asks for what failed', async () => {
    const bench = await openBench(db)
    await bench.connect()
    const demand = (names: string[]) =>
      bench.control('/_control/settings', { hubId: enterprise, adminRequired: { '0-1': names } })
    await demand(['firstname'])
    await saveLedger(bench, [{ id: 'x', name: 'X', email: 'kim@parked.example', mrrCents: 1 }])
    await bench.push()
    await demand([])
    await bench.retryFailed()
    expect(dumpCrm(bench).associations).toContain('event ev_x -> contact kim@parked.example')
  })

  it('is not sent at all when the address cannot be one', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [{ id: 'x', name: 'X', email: 'kim at nowhere', mrrCents: 1 }])
    const run = await bench.push()
    expect([creations(bench), await bench.errorsOf(run.id)]).toEqual([0, []])
    expect(await matchesOf(bench)).toEqual({ x: 'pending invalid_email' })
  })
})

describe('a push', () => {
  it('blames no customer where HubSpot lets us create no company', async () => {
    const bench = await openBench(db)
    await bench.connect()
    const emails = ['lee@gmail.com', 'kim@acme.example']
    await saveLedger(
      bench,
      emails.map((email, index) => ({ id: `${index}`, name: email, email, mrrCents: 1 })),
    )
    const crm = { ...bench.deps.crm, createCompanies: () => Promise.reject(forbidden) }
    const { id } = await bench.push({ crm })
    const { errors } = await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      listRunDetails(tenant, id, 9),
    )
    expect(errors).toMatchObject([
      { source_id: null, message: 'New companies were not created: Not allowed.' },
    ])
  })

  it('counts the companies and contacts that it created, and none that were there', async () => {
    const bench = await openBench(db)
    await bench.connect()
    const one = (id: string, domain: string) => ({ id, name: id, email: `${id}@${domain}`, mrrCents: 1 })
    const rows = [one('kim', 'one.example'), one('pat', 'one.example'), one('lee', 'two.example')]
    await saveLedger(bench, rows)
    expect(await bench.push()).toMatchObject({ created_companies: 2, created_contacts: 3 })
    await saveLedger(bench, [...rows, one('ada', 'one.example')])
    expect(await bench.push()).toMatchObject({ created_companies: 0, created_contacts: 1 })
    expect(await bench.push()).toMatchObject({ created_companies: 0, created_contacts: 0 })
  })
})

describe('the company of several customers', () => {
  const cases: [string[], string, string][] = [
    [['Hotel Krone', 'Bäckerei Weiß', 'Studio Nord'], 'webcraft.example', 'webcraft.example'],
    [['Hotel Krone', 'Web-Craft Agentur GmbH'], 'webcraft.example', 'Web-Craft Agentur GmbH'],
    [['Hotel Krone', 'Webcr'], 'webcraft.example', 'Webcr'],
    [['Hotel Krone GmbH', 'HOTEL KRONE'], 'webcraft.example', 'Hotel Krone GmbH'],
    [['Adidas', 'Puma'], 'ad.example', 'ad.example'],
    [['Adidas', 'AD GmbH'], 'ad.example', 'AD GmbH'],
  ]

  it.each(cases)('of the names %j at %s is called %s', async (names, domain, expected) => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(
      bench,
      names.map((name, id) => ({ id: `${id}`, name, email: `kim${id}@${domain}`, mrrCents: 1 })),
    )
    await bench.push()
    expect(await matchesOf(bench)).toMatchObject({ 0: `linked created ${expected}` })
  })
})

describe('a portal that makes companies of its own', () => {
  it('keeps one company for each domain, whoever makes it', async () => {
    for (const autoCreateCompanies of [true, false]) {
      const bench = await openBench(db)
      await bench.connect()
      await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
      await settings(bench, { autoCreateCompanies })
      await saveLedger(
        bench,
        ['a', 'b'].map((id) => ({ id, name: id, email: `${id}@acme.example`, mrrCents: 1 })),
      )
      await bench.push()
      await bench.push()
      const { company, associations } = dumpCrm(bench)
      expect(company).toHaveLength(1)
      expect(associations).toContain('subscription sub_a -> company acme.example')
      expect(associations).toContain('subscription sub_b -> company acme.example')
    }
  })

  it('is told of a second company that it made for a subdomain', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
    await bench.control('/_control/lags', { associationLagMs: 0 })
    await saveLedger(bench, [{ id: 'a', name: 'Acme', email: 'kim@mail.acme.example', mrrCents: 1 }])
    const run = await bench.push()
    expect((await bench.errorsOf(run.id)).join()).toContain(
      'has made a company of its own, mail.acme.example',
    )
  })
})

it('keeps a contact that got the address meanwhile as it stands, with its other addresses and its company', async () => {
  const companies = ['alpha', 'beta'].map((name) => ({ name, domain: `${name}.example` }))
  const contacts = [{ email: 'kim@alpha.example', companyDomain: 'alpha.example' }]
  const bench = await openBench(db, { seed: { companies, contacts } })
  await bench.connect()
  await saveLedger(bench, [{ id: 'b', name: 'B', email: 'kim@beta.example', mrrCents: 1 }])
  const { crm } = bench.deps
  const createContacts: typeof crm.createContacts = async (...given) => {
    const id = recordIdOf(bench, '0-1', 'email', 'kim@alpha.example')
    const properties = { hs_additional_emails: 'kim@beta.example' }
    await bench.control('/_control/edit', { hubId: enterprise, type: '0-1', id, properties })
    return crm.createContacts(...given)
  }
  expect(await bench.push({ crm: { ...crm, createContacts } })).toMatchObject({ created_contacts: 0 })
  const kept = await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    tenant.sql.selectFrom('crm_contacts').select(['emails', 'company_record_ids as companies']).execute(),
  )
  expect(kept).toEqual([
    {
      emails: ['kim@alpha.example', 'kim@beta.example'],
      companies: [recordIdOf(bench, '0-2', 'name', 'alpha')],
    },
  ])
})

describe('a HubSpot that ties new contacts by their domain', () => {
  it('made no second company where the domain is that of one that stood there before', async () => {
    const companies = ['alpha', 'beta'].map((name) => ({ name, domain: `${name}.example` }))
    const bench = await openBench(db, { seed: { companies, contacts: [] } })
    await bench.connect()
    await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
    await bench.control('/_control/lags', { associationLagMs: 0 })
    await matchCompanies(bench.deps, bench.organizationId)
    const rule = { domain: 'alpha.example', companyRecordId: recordIdOf(bench, '0-2', 'name', 'beta') }
    await decideDomain(bench.deps, bench.organizationId, rule, reviewerOf(bench))
    await saveLedger(bench, [{ id: 'a', name: 'A', email: 'kim@alpha.example', mrrCents: 1 }])
    const run = await bench.push()
    expect(contactTies(bench)).toHaveLength(2)
    expect(await bench.errorsOf(run.id)).toEqual([])
  })
})

describe('a domain that many customers share', () => {
  it('waits for a person, and gets no company', async () => {
    const bench = await openBench(db)
    await bench.connect()
    const numbers = Array.from({ length: 11 }, (_, index) => String(index + 10))
    await saveLedger(
      bench,
      numbers.map((id) => ({ id, name: `Name ${id}`, email: `n${id}@campus.example`, mrrCents: 1 })),
    )
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql.updateTable('customers').set({ domain: 'campus.example' }).execute(),
    )
    await matchCompanies(bench.deps, bench.organizationId)
    expect(new Set(Object.values(await matchesOf(bench)))).toEqual(new Set(['pending shared_domain']))
    expect(dumpCrm(bench).company).toEqual([])
  })
})

describe('the forecast', () => {
  it('says what the first push then creates, and creates nothing itself', async () => {
    const seed = { companies: [{ name: 'Alpha', domain: 'alpha.example' }], contacts: [] }
    for (const autoCreateCompanies of [true, false]) {
      const bench = await openBench(db, { seed })
      await bench.connect()
      await settings(bench, { autoCreateCompanies })
      await saveLedger(bench, [
        { id: '1', name: 'One', email: 'kim@alpha.example', mrrCents: 1 },
        { id: '2', name: 'Two', email: 'kim@beta.example', mrrCents: 1 },
        { id: '3', name: 'Three', email: 'pat@beta.example', mrrCents: 1 },
        { id: '4', name: 'Four', email: 'kim@gmail.com', mrrCents: 1 },
        { id: '5', name: 'Five', email: null, mrrCents: 1 },
      ])
      const forecast = await forecastMatching(bench.deps, bench.organizationId)
      expect(forecast).toEqual({
        attached: 1,
        companiesToCreate: autoCreateCompanies ? 1 : 0,
        companiesPaused: null,
        contactsToCreate: 4,
        toReview: autoCreateCompanies ? 2 : 4,
      })
      expect(dumpCrm(bench)).toMatchObject({ contact: [], company: [expect.stringContaining('Alpha')] })
      await bench.push()
      const { company, contact } = dumpCrm(bench)
      expect(company.length - 1).toBe(forecast.companiesToCreate)
      expect(contact).toHaveLength(forecast.contactsToCreate)
    }
  })

  it.each([
    ['there is no room for our unique property', 10, true, /Make room for one more unique company property/],
    ['one of its name is not unique', 0, false, /tributary_domain that is not unique/],
  ])('promises no company while %s', async (_, othersCount, isOursFree, reason) => {
    const bench = await openBench(db)
    await bench.connect()
    const define = (name: string, hasUniqueValue: boolean) =>
      bench.ask('POST', '/crm/properties/2026-09/companies', {
        ...{ name, label: name, type: 'string', fieldType: 'text', groupName: 'companyinformation' },
        hasUniqueValue,
      })
    for (let n = 0; n < othersCount; n++) await define(`key_${n}`, true)
    if (!isOursFree) await define('tributary_domain', false)
    await saveLedger(bench, [{ id: '1', name: 'One', email: 'kim@beta.example', mrrCents: 1 }])
    expect(await forecastMatching(bench.deps, bench.organizationId)).toEqual({
      attached: 0,
      companiesToCreate: 0,
      companiesPaused: expect.stringMatching(reason),
      contactsToCreate: 1,
      toReview: 1,
    })
    await bench.push()
    expect(dumpCrm(bench)).toMatchObject({ company: [], contact: [expect.stringContaining('kim@beta')] })
  })

  it('promises no company without the permission to make our property', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [{ id: '1', name: 'One', email: 'kim@beta.example', mrrCents: 1 }])
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql
        .updateTable('connections')
        .set({ scopes: ['oauth', 'crm.objects.companies.write'] })
        .where('provider', '=', 'crm')
        .where('organization_id', '=', bench.organizationId)
        .execute(),
    )
    expect(await forecastMatching(bench.deps, bench.organizationId)).toMatchObject({
      companiesToCreate: 0,
      companiesPaused: expect.stringContaining('crm.schemas.companies.write'),
    })
  })
})
