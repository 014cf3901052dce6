import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { matchesOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { RunLost } from '../../../store/runs/runs.ts'
import { updateSettings } from '../../../store/setup/settings.ts'
import { createCompanyFor } from '../../match/review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

async function connected(options: Parameters<typeof openBench>[1] = {}): Promise<Bench> {
  const bench = await openBench(db, options)
  await bench.connect()
  return bench
}
const typeOf = ({ simulator }: Bench) => simulator.portal(enterprise).schemas()[0]?.typeId ?? ''
const customer = (id: string, email: string | null) => ({ id, name: `Firm ${id}`, email, mrrCents: 100 })

describe('what HubSpot does by itself', () => {
  it('makes companies of contacts: ours stays the only one of its domain, and the contact hangs on it', async () => {
    const bench = await connected()
    await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
    await saveLedger(bench, [customer('a', 'kim@new.example')])
    await bench.push()
    const { company, associations } = dumpCrm(bench)
    expect(company).toHaveLength(1)
    expect(associations).toContain('contact kim@new.example -> company new.example')
    expect(associations).toContain('subscription sub_a -> company new.example')
  })

  it('keeps the labels that people set between contacts and companies', async () => {
    const bench = await connected({
      seed: {
        companies: [{ name: 'Alpha', domain: 'alpha.example' }],
        contacts: [{ email: 'pat@alpha.example', companyDomain: 'alpha.example' }],
      },
    })
    const labels = () => bench.simulator.portal(enterprise).associations('0-1', '0-2')
    const before = labels()
    expect(before[0]?.associationTypeIds).toContain(1)
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    await bench.push()
    expect(labels()).toEqual(before)
  })

  it('keeps addresses in lower case: two spellings are one contact', async () => {
    const bench = await connected()
    await saveLedger(bench, [customer('a', ' Bob@New.example'), customer('b', 'bob@new.example')])
    expect(await bench.push()).toMatchObject({ failed_records: 0 })
    expect(dumpCrm(bench).contact).toHaveLength(1)
    expect(dumpCrm(bench).associations).toContain('subscription sub_a -> contact bob@new.example')
    expect(dumpCrm(bench).associations).toContain('subscription sub_b -> contact bob@new.example')
  })

  it('finds a contact by an address that is not its first', async () => {
    const contact = { email: 'first@new.example', additionalEmails: ['second@new.example'] }
    const bench = await connected({ seed: { companies: [], contacts: [contact] } })
    await saveLedger(bench, [customer('a', 'second@new.example')])
    await bench.push()
    expect(dumpCrm(bench).contact).toHaveLength(1)
    expect(dumpCrm(bench).associations).toContain('subscription sub_a -> contact first@new.example')
  })
})

describe('rules of the account', () => {
  it('refuse a contact and nothing else, and say why', async () => {
    const bench = await connected()
    await bench.control('/_control/settings', { hubId: enterprise, adminRequired: { '0-1': ['phone'] } })
    await saveLedger(bench, [customer('a', 'kim@new.example')])
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
    expect((await bench.errorsOf(run.id)).join()).toContain('phone is required')
    expect(run.message).toBe(
      'Synced 2 records to HubSpot. Sync History tells of 1 more problem beside the records.',
    )
  })

  it('leave no room for our unique company property: no company is made, and the push goes on', async () => {
    const bench = await connected()
    for (let n = 0; n < 10; n++) {
      await bench.ask('POST', '/crm/properties/2026-09/companies', {
        name: `key_${n}`,
        label: `Key ${n}`,
        type: 'string',
        fieldType: 'text',
        groupName: 'companyinformation',
        hasUniqueValue: true,
      })
    }
    await saveLedger(bench, [customer('a', 'kim@new.example')])
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
    const [reason, ...others] = await bench.errorsOf(run.id)
    expect(reason).toMatch(/^Companies are not created: .*Make room for one more unique company property/)
    expect(others).toEqual([])
    expect(dumpCrm(bench).company).toEqual([])
    expect(await matchesOf(bench)).toEqual({ a: 'pending no_candidate' })
  })

  it('hold a property of our name that is not unique: no company is made by it, neither by a run nor by a person', async () => {
    const bench = await connected()
    const key = { name: 'tributary_domain', label: 'Theirs', type: 'string', fieldType: 'text' }
    await bench.ask('POST', '/crm/properties/2026-09/companies', { ...key, groupName: 'companyinformation' })
    await saveLedger(bench, [customer('a', 'kim@new.example')])
    bench.simulator.requests.clear()
    const run = await bench.push()
    expect((await bench.errorsOf(run.id)).join()).toMatch(
      /Companies are not created: .*tributary_domain that is not unique\. Delete or rename it there\./,
    )
    const byHand = createCompanyFor(bench.deps, bench.organizationId, 'cus_a', 'New', reviewerOf(bench))
    await expect(byHand).rejects.toThrow('not unique')
    expect(bench.simulator.requests.list('/crm/objects/2026-09/0-2/batch/create')).toEqual([])
    expect(dumpCrm(bench).company).toEqual([])
  })

  it('are not asked for our company property where no company is wanted', async () => {
    const bench = await connected()
    await saveLedger(bench, [customer('a', 'kim@gmail.com'), customer('b', null)])
    bench.simulator.requests.clear()
    await bench.push()
    expect(bench.simulator.requests.list('/crm/properties/2026-09/0-2')).toEqual([])
  })
})

describe('values', () => {
  it('are clamped, cleaned and mapped, so that no record is refused for them', async () => {
    const bench = await connected()
    const name = `${'x'.repeat(70_000)}\u{1f600}`
    await saveLedger(bench, [{ id: 'a', name: `Half \ud83d pair ${name}`, email: null, mrrCents: 123_456 }])
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql, organizationId }) =>
      sql
        .updateTable('subscriptions')
        .set({ status: 'suspended_by_martians', currency: 'jpy', next_renewal_on: '2026-12-31' })
        .where('organization_id', '=', organizationId)
        .execute(),
    )
    expect(await bench.push()).toMatchObject({ processed_records: 2, failed_records: 0 })
    const record = JSON.parse(dumpCrm(bench).subscription[0] ?? '{}')
    expect(record).toMatchObject({
      status: 'other',
      status_text: 'Suspended By Martians',
      mrr: '123456',
      currency_code: 'JPY',
    })
    expect(record.customer_name).toHaveLength(1_000)
    expect(record.customer_name.isWellFormed()).toBe(true)
  })
})

describe('automatic sync that is switched off', () => {
  it('stops a push of the clock before its next write, and leaves one of a person alone', async () => {
    const bench = await connected()
    const rows = Array.from({ length: 250 }, (_, n) => customer(String(n).padStart(3, '0'), null))
    await saveLedger(bench, rows)
    const { crm, database } = bench.deps
    const switching = {
      ...crm,
      upsertRecords: async (...given: Parameters<typeof crm.upsertRecords>) => {
        await inOrganization(database, bench.organizationId, (tenant) =>
          updateSettings(tenant, { autoSyncEnabled: false }),
        )
        return crm.upsertRecords(...given)
      },
    }
    await expect(bench.push({ isScheduled: true, crm: switching })).rejects.toThrow(RunLost)
    expect(await bench.findRunning()).toBeUndefined()
    const written = bench.simulator.portal(enterprise).records(typeOf(bench)).length
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(250)
    expect(await bench.push()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(bench.simulator.portal(enterprise).records(typeOf(bench))).toHaveLength(250)
  })
})

describe('one record that HubSpot refuses', () => {
  it('stops none of its hundred neighbours, with few requests more, and is named with the reason', async () => {
    const bench = await connected()
    const rows = Array.from({ length: 100 }, (_, n) => customer(String(n).padStart(3, '0'), null))
    await saveLedger(bench, [...rows.slice(0, 99), { ...customer('099', null), name: 'Refused by HubSpot' }])
    bench.simulator.requests.clear()
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 200, failed_records: 1 })
    expect(await bench.errorsOf(run.id)).toEqual([expect.stringContaining('breaks a rule of this account')])
    const upserts = bench.simulator.requests.list('/crm/objects/2026-09/2-')
    expect(upserts.filter(({ path }) => path.endsWith('/batch/upsert'))).toHaveLength(2)
  })
})
