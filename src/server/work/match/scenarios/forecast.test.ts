import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { createRandom, type Random } from '#simulators/worlds/numbers/random.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { updateSettings } from '../../../store/setup/settings.ts'
import { countRecords } from '../../../store/setup/setup-facts.ts'
import { forecastMatching, matchCompanies } from '../match-companies.ts'
import { decideDomain } from '../match-rules.ts'
import { linkCustomer } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** FORECASTS=200 SEED=7 tries more portals, and different ones. */
const portals = Number(process.env['FORECASTS'] ?? 4)
const firstSeed = Number(process.env['SEED'] ?? 1)

const stems = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa']
const people = ['kim', 'pat', 'lou', 'sam']
const domainOf = (random: Random) => `${random.pick(stems)}.example`

/** A realistic portal: companies with several domains, one or none, duplicates, and contacts of any of them. */
function portalOf(random: Random): CrmSeed {
  const companies = Array.from({ length: random.int(0, 9) }, (_, n) => ({
    name: random.chance(0.3) ? `Firm ${random.int(1, 6)}` : `Company ${n}`,
    ...(random.chance(0.85) && {
      domain: random.chance(0.2) ? `labs.${domainOf(random)}` : domainOf(random),
    }),
    ...(random.chance(0.2) && { additionalDomains: [domainOf(random)] }),
  }))
  const emails = new Set(Array.from({ length: random.int(0, 9) }, () => emailOf(random)))
  const contacts = [...emails].map((email, n) => ({
    email,
    ...(random.chance(0.2) && { additionalEmails: [`second${n}@${domainOf(random)}`] }),
    ...(random.chance(0.5) && { companyDomain: domainOf(random) }),
  }))
  return { companies, contacts }
}

function emailOf(random: Random): string {
  const host = random.chance(0.2) ? 'gmail.com' : domainOf(random)
  return `${random.pick(people)}@${random.chance(0.15) ? 'mail.' : ''}${host}`
}

/** Realistic Stripe customers: many share a domain or an address; some have none, or an invalid one. */
const customersOf = (random: Random, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: String(n).padStart(5, '0'),
    name: random.chance(0.2) ? '' : `Firm ${random.int(1, 40)}`,
    email: random.chance(0.05)
      ? null
      : random.chance(0.05)
        ? 'not an address'
        : random.chance(0.1)
          ? ` ${emailOf(random).toUpperCase()} `
          : random.chance(0.1)
            ? `second${random.int(0, 9)}@${domainOf(random)}`
            : emailOf(random),
    mrrCents: 100,
  }))

/** Decisions that people make before the first push. */
async function decide(bench: Bench, random: Random, customers: number): Promise<void> {
  const ids = bench.simulator
    .portal(enterprise)
    .records('0-2')
    .map(({ id }) => id)
  if (ids.length === 0) return
  for (let n = random.int(0, 3); n > 0; n--) {
    const companyRecordId = random.chance(0.5) ? random.pick(ids) : null
    const rule = { domain: domainOf(random), companyRecordId }
    await decideDomain(bench.deps, bench.organizationId, rule, reviewerOf(bench, 'admin'))
  }
  for (let n = random.int(0, 4); n > 0; n--) {
    const customerId = `cus_${String(random.int(0, customers - 1)).padStart(5, '0')}`
    const choice = { companyRecordId: random.pick(ids), remember: false, by: reviewerOf(bench) } as const
    await linkCustomer(bench.deps, bench.organizationId, customerId, choice)
  }
}

const countsOf = (bench: Bench) => {
  const { company, contact } = dumpCrm(bench)
  return { companies: company.length, contacts: contact.length }
}
/** What the screen offers for a push. */
const offeredOf = ({ deps, organizationId }: Bench) =>
  inOrganization(deps.database, organizationId, countRecords)

async function expectForetold(seed: number, customers: number): Promise<void> {
  const random = createRandom(seed, 0xf0)
  const bench = await openBench(db, { seed: portalOf(random) })
  await bench.connect()
  await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    updateSettings(tenant, {
      autoCreateCompanies: random.chance(0.7),
      autoCreateContacts: random.chance(0.8),
    }),
  )
  await saveLedger(bench, customersOf(random, customers))
  // An import ends with this.
  await query(db.ownerUrl, 'analyze')
  await decide(bench, random, customers)
  if (random.chance(0.3)) await matchCompanies(bench.deps, bench.organizationId)
  await expectExact(bench, `seed ${seed}`)
}

async function expectExact(bench: Bench, which: string): Promise<void> {
  const before = countsOf(bench)
  const known = new Set(
    bench.simulator
      .portal(enterprise)
      .records('0-2')
      .map(({ id }) => id),
  )
  const forecast = await forecastMatching(bench.deps, bench.organizationId)
  const total = await offeredOf(bench)
  expect(countsOf(bench), `a forecast creates nothing, ${which}`).toEqual(before)
  const run = await bench.push({ retriesFailed: true })
  const after = countsOf(bench)
  const states = Object.values(await matchesOf(bench)).map((match) => match.split(' ')[0])
  const linked = await inOrganization(bench.deps.database, bench.organizationId, ({ sql, organizationId }) =>
    sql
      .selectFrom('matches')
      .select('company_record_id')
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'linked')
      .execute(),
  )
  expect(
    {
      companiesToCreate: after.companies - before.companies,
      contactsToCreate: after.contacts - before.contacts,
      attached: linked.filter(({ company_record_id: id }) => known.has(id ?? '')).length,
      toReview: states.filter((state) => state === 'pending').length,
      companiesPaused: null,
      records: run.processed_records,
    },
    which,
  ).toEqual({ ...forecast, records: total.subscriptions + total.events })
  expect(run.total_records).toBe(run.processed_records)
}

describe('the forecast before a first push', () => {
  it('counts what the push then does, exactly, whatever the portal and the account are like', async () => {
    for (let seed = firstSeed; seed < firstSeed + portals; seed++) await expectForetold(seed, 25)
  }, 600_000)

  it('counts a company and a contact once over pages of customers', async () => {
    await expectForetold(3, 600)
  }, 600_000)

  it('knows what an earlier page makes for a later one', async () => {
    const bench = await openBench(db, { seed: { companies: [{ name: 'Alpha' }], contacts: [] } })
    await bench.connect()
    const sharers = new Set([0, 510])
    const customers = customersOf(createRandom(1), 520).map((row, n) => ({
      ...row,
      email: sharers.has(n) ? 'kim@gmail.com' : null,
    }))
    await saveLedger(bench, customers)
    await query(db.ownerUrl, 'analyze')
    await linkCustomer(bench.deps, bench.organizationId, 'cus_00000', {
      companyRecordId: bench.simulator.portal(enterprise).records('0-2')[0]?.id ?? '',
      remember: false,
      by: reviewerOf(bench),
    })
    expect(await forecastMatching(bench.deps, bench.organizationId)).toMatchObject({
      attached: 2,
      toReview: 518,
    })
    await expectExact(bench, 'two pages')
  })
})
