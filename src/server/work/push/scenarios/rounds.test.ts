import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import { noConvertedFields } from '#domain/reporting/crm-converted.ts'
import { createRandom, type Random } from '#simulators/worlds/numbers/random.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench } from '#test/push/open-bench.ts'
import { actInHubspot, actInLedger, breakSomething, type Deeds, standing, typeOf } from '#test/push/people.ts'
import { propertiesOf } from '../../../providers/hubspot/to-hubspot/object-spelling.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { cancelRuns } from '../../../store/runs/runs.ts'
import { listLedgerRows } from '../ledger-rows.ts'
import { readPaymentLinks } from '../payment-links.ts'

/** `npm run prove -- rounds` tries more; SEED=7 tries others. */
const rounds = Number(process.env['ROUNDS'] ?? 20)
const seed = Number(process.env['SEED'] ?? 1)
const quietEvery = 20
const minuteMs = 60_000

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const companies = ['alpha', 'beta', 'gamma', 'twin', 'twin'].map((name, index) => ({
  name: `${name} ${index}`,
  domain: `${name}.example`,
}))

const listMatches = ({ deps, organizationId }: Bench) =>
  inOrganization(deps.database, organizationId, ({ sql }) =>
    sql.selectFrom('matches').selectAll().where('organization_id', '=', organizationId).execute(),
  )

const listLedger = async ({ deps, organizationId }: Bench, kind: CrmKind) => {
  const links = await readPaymentLinks(deps, organizationId)
  const access = { portalId: String(enterprise), token: async () => '' }
  return inOrganization(deps.database, organizationId, (tenant) =>
    listLedgerRows({ access, links, converted: noConvertedFields }, tenant, kind, {
      afterId: '',
      limit: 10_000,
    }),
  )
}

/** Keys of the records that we believe to be correct in the CRM. */
async function listSettled(bench: Bench): Promise<Set<string>> {
  const rows = [...(await listLedger(bench, 'subscription')), ...(await listLedger(bench, 'event'))]
  return new Set(
    rows.flatMap(({ key, hash, state }) =>
      state.state === 'confirmed' && state.confirmedHash === hash ? [key] : [],
    ),
  )
}

/** Pushes, and ends a push that HubSpot does not let finish as the worker does. Returns what its report names. */
async function push(bench: Bench, retriesFailed: boolean): Promise<string | undefined> {
  try {
    const run = await bench.push({ retriesFailed })
    const told = [...(await bench.logOf(run.id)), ...(await bench.errorsOf(run.id))]
    return run.status === 'completed' ? `${told.join('\n')} ${await sourcesOf(bench, run.id)}` : undefined
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      cancelRuns(tenant, bench.deps.now(), 'Given up.'),
    )
    return undefined
  }
}

async function sourcesOf({ deps, organizationId }: Bench, runId: string): Promise<string> {
  const rows = await inOrganization(deps.database, organizationId, ({ sql }) =>
    sql
      .selectFrom('run_errors')
      .select('source_id')
      .where('organization_id', '=', organizationId)
      .where('run_id', '=', runId)
      .execute(),
  )
  return rows.map(({ source_id }) => source_id ?? '').join(' ')
}

async function playRound(bench: Bench, random: Random, number: number, deleted: Set<string>): Promise<void> {
  const deeds: Deeds = { inHubspot: [], inLedger: [], deleted }
  const settled = await listSettled(bench)
  for (let act = random.int(1, 3); act > 0; act--) await actInLedger(bench, random, deeds, number * 10 + act)
  for (let act = random.int(0, 3); act > 0; act--) {
    bench.clock.now += 1_000
    await actInHubspot(bench, random, deeds)
  }
  bench.clock.now += random.int(2, 90) * minuteMs
  const isFaulty = random.chance(0.5)
  if (isFaulty) await breakSomething(bench, random)
  const told = await push(bench, random.chance(0.3))
  bench.simulator.faults.clear()
  if (told === undefined || isFaulty) return
  // A record that was due or parked anyway does not count as corrected.
  const mended = deeds.inHubspot.filter((key) => settled.has(key) && !deeds.inLedger.includes(key))
  const unnamed = mended.filter((key) => !told.includes(key))
  expect(unnamed, `round ${number}: named in the report`).toEqual([])
}

/** HubSpot returns instants with milliseconds. */
const alike = (properties: [string, string][]) =>
  Object.fromEntries(properties.map(([name, value]) => [name, value.replace(/:(\d\d)\.000Z$/, ':$1Z')]))

async function checkRecords(bench: Bench, kind: CrmKind): Promise<void> {
  const rows = await listLedger(bench, kind)
  const keyName = kind === 'subscription' ? 'stripe_subscription_id' : 'tributary_event_id'
  const records = new Map(standing(bench, kind).map((record) => [record.properties[keyName], record]))
  const refused = (name: string) => name.includes('Refused by HubSpot')
  const wanted = rows.filter(({ values }) => !refused(values['name'] ?? ''))
  for (const { key, values } of wanted) {
    const ours = Object.entries(propertiesOf(kind, values)).filter(([, value]) => value !== '')
    const record = records.get(key)
    const theirs = Object.entries(record?.properties ?? {}).filter(([name]) => !name.startsWith('hs_'))
    expect(alike(theirs), key).toEqual(alike(ours))
  }
  const known = new Set(rows.map(({ key }) => key))
  expect([...records.keys()].filter((key) => !known.has(key ?? ''))).toEqual([])
  expect(records.size).toBe(standing(bench, kind).length)
}

/** Each record is associated with its customer's match, as far as that still exists, and with nothing else. */
async function checkTies(bench: Bench, kind: CrmKind): Promise<void> {
  const matches = new Map((await listMatches(bench)).map((match) => [match.customer_id, match]))
  const view = bench.simulator.portal(enterprise)
  const keyName = kind === 'subscription' ? 'stripe_subscription_id' : 'tributary_event_id'
  const stands = (object: 'company' | 'contact', id: string | null) =>
    id !== null && standing(bench, object).some((record) => record.id === id)
  const subscriptions = new Map(
    standing(bench, 'subscription').map((record) => [record.properties['stripe_subscription_id'], record.id]),
  )
  const type = typeOf(bench, kind)
  const tiesTo = (target: string) => {
    const ties = new Map<string, string[]>()
    for (const { fromId, toId } of view.associations(type, target))
      ties.set(fromId, [...(ties.get(fromId) ?? []), toId])
    return ties
  }
  const [toCompany, toContact, toSubscription] = ['0-2', '0-1', typeOf(bench, 'subscription')].map(tiesTo)
  for (const record of standing(bench, kind)) {
    const key = record.properties[keyName]
    const match = matches.get(record.properties['stripe_customer_id'] ?? '')
    const company = match?.state === 'linked' ? match.company_record_id : null
    const contact = match?.contact_record_id ?? null
    expect(toCompany?.get(record.id) ?? [], `${key}: companies`).toEqual(
      stands('company', company) ? [company] : [],
    )
    expect(toContact?.get(record.id) ?? [], `${key}: contacts`).toEqual(
      stands('contact', contact) ? [contact] : [],
    )
    if (kind === 'subscription') continue
    const own = subscriptions.get(record.properties['related_subscription_id'])
    expect(toSubscription?.get(record.id) ?? [], `${key}: subscriptions`).toEqual(own ? [own] : [])
  }
}

/** The record that a merged company or contact became part of. */
function follow({ simulator }: Bench, object: 'company' | 'contact', id: string | null): string | null {
  const made = simulator.portal(enterprise).everMade(object === 'company' ? '0-2' : '0-1')
  const record = made.find((one) => one.id === id)
  return record?.mergedInto ? follow({ simulator } as Bench, object, record.mergedInto) : id
}

/** A company and all companies that were ever merged into it. */
function lineageOf({ simulator }: Bench, id: string): string[] {
  const record = simulator
    .portal(enterprise)
    .everMade('0-2')
    .find((one) => one.id === id)
  return [id, ...(record?.properties['hs_merged_object_ids'] ?? '').split(';')]
}

describe('rounds of changes on both sides, and faults', () => {
  it(`after ${rounds} of them ledger and CRM agree, at most two pushes after each time it is quiet`, async () => {
    const bench = await openBench(db, { seed: { companies, contacts: [] } })
    await bench.connect()
    const random = createRandom(seed)
    let decided = await listMatches(bench)
    const deleted = new Set<string>()
    for (let number = 1; number <= rounds; number++) {
      await playRound(bench, random, number, deleted)
      if (number % quietEvery !== 0 && number !== rounds) continue
      for (const retriesFailed of [false, true]) {
        bench.clock.now += 10 * minuteMs
        expect(await push(bench, retriesFailed), `round ${number}: completed`).toBeDefined()
      }
      for (const kind of crmKinds) await checkRecords(bench, kind)
      for (const kind of crmKinds) await checkTies(bench, kind)
      const matches = new Map((await listMatches(bench)).map((match) => [match.customer_id, match]))
      for (const before of decided.filter(({ state }) => state === 'linked')) {
        const company = follow(bench, 'company', before.company_record_id)
        // A customer whose company somebody deleted waits for review, or has found another company since.
        if (company === null || lineageOf(bench, company).some((id) => deleted.has(id))) continue
        expect(matches.get(before.customer_id), `round ${number}: decided`).toMatchObject({
          state: 'linked',
          company_record_id: company,
        })
      }
      decided = [...matches.values()]
    }
  }, 300_000)
})
