import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { matchesOf, matchOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, enterprise, type LedgerRowSeed, openBench, saveLedger } from '#test/push/open-bench.ts'
import { listMatches } from '../../../store/lists/match-list.ts'
import { listRules } from '../../../store/matches/match-rules.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { withCrm } from '../../crm/with-crm.ts'
import { forecastMatching } from '../match-companies.ts'
import { decideDomain } from '../match-rules.ts'
import { createCompanyFor, ignoreCustomer, unlinkCustomer } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const customer = (id: string, name: string, email: string): LedgerRowSeed => ({
  id,
  name,
  email,
  mrrCents: 100,
})
const companies = ({ simulator }: Bench) =>
  simulator
    .portal(enterprise)
    .records('0-2')
    .map(({ properties: { name, domain } }) => `${name} ${domain ?? ''}`.trim())
const edit = (bench: Bench, name: string, properties: object) =>
  bench.control('/_control/edit', {
    ...{ hubId: enterprise, type: '0-2', id: recordIdOf(bench, '0-2', 'name', name), properties },
  })

/** Names of the first linked customer, the first rule, and the first ignored customer's candidates. */
const namesShown = ({ deps, organizationId }: Bench) =>
  inOrganization(deps.database, organizationId, async (tenant) => {
    const page = { page: 1, limit: 20, search: '' }
    const linked = await listMatches(tenant, { ...page, state: 'linked' })
    const ignored = await listMatches(tenant, { ...page, state: 'ignored' })
    const [rule] = await listRules(tenant, String(enterprise))
    const candidates = ignored.matches[0]?.candidates.map(({ name }) => name).join(',')
    return [linked.matches[0]?.companyName, rule?.companyName, candidates]
  })

/** We created a company for overw.example; then people changed it by `properties`. */
async function afterPeople(properties: object): Promise<Bench> {
  const bench = await openBench(db)
  await bench.connect()
  await saveLedger(bench, [customer('a', 'Overw', 'pay@overw.example')])
  await bench.push()
  bench.clock.now += 600_000
  await edit(bench, 'Overw', properties)
  await saveLedger(bench, [customer('b', 'Second', 'it@overw.example')])
  return bench
}

describe('a company that was made for a domain', () => {
  it('is neither renamed nor given its domain back for another customer, who waits with it as a candidate', async () => {
    const bench = await afterPeople({ name: 'Group', domain: 'group.example' })
    const forecast = await forecastMatching(bench.deps, bench.organizationId)
    expect(forecast).toMatchObject({ companiesToCreate: 0, contactsToCreate: 0, toReview: 1 })
    await bench.push()
    await bench.push({ retriesFailed: true })
    expect(companies(bench)).toEqual(['Group group.example'])
    expect(await matchesOf(bench)).toEqual({ a: 'linked created Group', b: 'pending company_changed Group' })
  })

  it('keeps the name that people gave it, and is attached by its domain', async () => {
    const bench = await afterPeople({ name: 'Group' })
    await bench.push()
    expect(companies(bench)).toEqual(['Group overw.example'])
    expect(await matchOf(bench, 'b')).toBe('linked company_domain Group')
  })

  it('is left alone also where it was changed after the last look', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [customer('a', 'Overw', 'pay@overw.example')])
    const { crm } = bench.deps
    const listContacts: typeof crm.listContacts = async (...given) => {
      const page = await crm.listContacts(...given)
      await bench.control('/_control/create', {
        ...{ hubId: enterprise, type: '0-2' },
        properties: { name: 'Group', domain: 'group.example', tributary_domain: 'overw.example' },
      })
      return page
    }
    await withCrm(bench.deps, bench.organizationId, ({ access }) => crm.ensureCompanyKey(access))
    await bench.push({ crm: { ...crm, listContacts } })
    expect(companies(bench)).toEqual(['Group group.example'])
    expect(await matchOf(bench, 'a')).toBe('pending company_changed Group')
  })

  it.each(['in its row', 'the batch as a whole'])(
    'is found where another made it in the moment of ours, and HubSpot refuses %s',
    async (how) => {
      const bench = await openBench(db)
      await bench.connect()
      await saveLedger(bench, [customer('a', 'Overw', 'pay@overw.example')])
      const answer = bench.simulator.fetch
      const theirs: Record<string, object> = {
        '0-1': { email: 'pay@overw.example' },
        '0-2': { name: 'Group', domain: 'group.example', tributary_domain: 'overw.example' },
      }
      const fetch = async (request: Request) => {
        const type = /(0-[12])\/batch\/create$/.exec(new URL(request.url).pathname)?.[1]
        if (type === undefined) return answer(request)
        const made = { hubId: enterprise, type, properties: theirs[type] }
        await bench.control('/_control/create', made).catch(() => {})
        const refusal = { category: 'CONFLICT', message: 'It already exists.' }
        return how === 'in its row' ? answer(request) : Response.json(refusal, { status: 409 })
      }
      Object.assign(bench.simulator, { fetch })
      const run = await bench.push()
      expect(companies(bench)).toEqual(['Group group.example'])
      expect(await matchOf(bench, 'a')).toBe('pending company_changed Group')
      expect(run).toMatchObject({ created_companies: 0, created_contacts: 0 })
    },
  )

  it('is found by the one who made it and died before that was kept, and is left as it stands by then', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [customer('a', 'Overw', 'pay@overw.example')])
    const { crm } = bench.deps
    const createCompanies: typeof crm.createCompanies = async (...given) => {
      await crm.createCompanies(...given)
      throw new Error('the process died')
    }
    await expect(bench.push({ crm: { ...crm, createCompanies } })).rejects.toThrow('died')
    await edit(bench, 'Overw', { name: 'Renamed' })
    await bench.resume()
    expect(companies(bench)).toEqual(['Renamed overw.example'])
    expect(await matchOf(bench, 'a')).toMatch(/^linked .* Renamed$/)
  })

  it('is the one of two organizations in the same portal, under the name that the first gave it', async () => {
    const first = await openBench(db)
    const second = await openBench(db, { beside: first })
    for (const [bench, name] of [
      [first, 'First'],
      [second, 'Second'],
    ] as const) {
      await bench.connect()
      await saveLedger(bench, [customer('a', name, 'pay@shared.example')])
      await bench.push()
    }
    expect(companies(first)).toEqual(['First shared.example'])
    expect(await matchOf(second, 'a')).toMatch(/^linked .* First$/)
  })
})

describe('a company that a person had made for one customer', () => {
  async function unlinked(properties: object): Promise<Bench> {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [customer('a', 'Nobody', 'kim@nobody.example')])
    await createCompanyFor(bench.deps, bench.organizationId, 'cus_a', 'Nobody Ltd', reviewerOf(bench))
    await edit(bench, 'Nobody Ltd', properties)
    await unlinkCustomer(bench.deps, bench.organizationId, 'cus_a', reviewerOf(bench))
    return bench
  }
  const createAgain = (bench: Bench) =>
    createCompanyFor(bench.deps, bench.organizationId, 'cus_a', 'Another Name', reviewerOf(bench))

  it('is found when they ask for it again, and keeps its name', async () => {
    const bench = await unlinked({ name: 'Nobody Inc' })
    const { message } = await createAgain(bench)
    expect(message).toContain('it was left as it is. Attached to Nobody Inc.')
    expect(companies(bench)).toEqual(['Nobody Inc nobody.example'])
  })

  it('is passed over once people made that of another domain of it', async () => {
    const bench = await unlinked({ name: 'Group', domain: 'group.example' })
    for (let press = 0; press < 2; press++) await createAgain(bench)
    expect(companies(bench)).toEqual(['Group group.example', 'Another Name nobody.example'])
    expect(await matchOf(bench, 'a')).toBe('linked person Another Name')
  })

  it('gets no domain that was said to tell nothing of the company', async () => {
    const bench = await openBench(db)
    await bench.connect()
    await saveLedger(bench, [customer('a', 'Client', 'kim@bookkeepers.example')])
    const never = { domain: 'bookkeepers.example', companyRecordId: null }
    await decideDomain(bench.deps, bench.organizationId, never, reviewerOf(bench, 'admin'))
    await createCompanyFor(bench.deps, bench.organizationId, 'cus_a', 'Client', reviewerOf(bench))
    expect(companies(bench)).toEqual(['Client'])
  })
})

describe('the names that Match Review shows', () => {
  it('are those in HubSpot by now, after a renaming and after a merge', async () => {
    const bench = await openBench(db, {
      seed: {
        companies: [
          { name: 'Alpha', domain: 'alpha.example' },
          { name: 'Holding', domain: 'holding.example' },
          { name: 'Twin One', domain: 'twin.example' },
          { name: 'Twin Two', domain: 'twin.example' },
        ],
        contacts: [],
      },
    })
    await bench.connect()
    await saveLedger(bench, [customer('a', 'A', 'kim@alpha.example'), customer('t', 'T', 'kim@twin.example')])
    const always = { domain: 'alpha.example', companyRecordId: recordIdOf(bench, '0-2', 'name', 'Alpha') }
    await decideDomain(bench.deps, bench.organizationId, always, reviewerOf(bench, 'member'))
    await bench.push()
    await edit(bench, 'Alpha', { name: 'Alpha New' })
    await edit(bench, 'Twin Two', { name: 'Twin New' })
    await ignoreCustomer(bench.deps, bench.organizationId, 'cus_t', reviewerOf(bench))
    await bench.push()
    expect(await namesShown(bench)).toEqual(['Alpha New', 'Alpha New', 'Twin One,Twin New'])
    const [primaryId, secondaryId] = ['Holding', 'Alpha New'].map((name) =>
      recordIdOf(bench, '0-2', 'name', name),
    )
    await bench.control('/_control/merge', { hubId: enterprise, type: '0-2', primaryId, secondaryId })
    await bench.push()
    expect((await namesShown(bench)).slice(0, 2)).toEqual(['Holding', 'Holding'])
  })
})
