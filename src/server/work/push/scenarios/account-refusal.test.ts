import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { typeOf } from '#test/push/people.ts'
import { listRefusalReasons } from '../../../store/crm/refusal-reasons.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { repairNow } from '../repair-associations.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const numbered = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'))
const customer = (id: string) => ({ id, name: `Firm ${id}`, email: `pay@firm${id}.example`, mrrCents: 100 })
const addressless = (id: string) => ({ ...customer(id), email: null })

async function openWith(rows: Parameters<typeof saveLedger>[1]): Promise<Bench> {
  const bench = await openBench(db)
  await bench.connect()
  await saveLedger(bench, rows)
  return bench
}

const limit = (bench: Bench, limits: object) =>
  bench.control('/_control/settings', { hubId: enterprise, limits })
/** The simulator refuses every call to these paths for the whole account. */
const refuse = (bench: Bench, pathPrefix: string, message = 'Account 24180001 may not write this.') =>
  bench.control('/_faults', {
    ...{ kind: 'status', status: 400, category: 'VALIDATION_ERROR', message },
    match: { pathPrefix, method: 'POST', times: null },
  })
const refusedOf = ({ simulator }: Bench) =>
  simulator.requests.list('/crm').filter(({ status }) => status === 400 || status === 207)
/** Of each record that was tried, the run keeps the reason, so that Sync Details lists as many errors as it counts. */
async function tellsOfEach(bench: Bench, run: { id: string; failed_records: number }, reason: RegExp) {
  const errors = await bench.errorsOf(run.id)
  expect(errors.filter((error) => reason.test(error))).toHaveLength(run.failed_records)
  expect(errors).toHaveLength(run.failed_records)
  expect(run.failed_records).toBeGreaterThan(0)
}
const reasonsOf = async ({ deps, organizationId }: Bench) => {
  const all = { page: 1, limit: 10 }
  return (await inOrganization(deps.database, organizationId, (tenant) => listRefusalReasons(tenant, all)))
    .reasons
}
const ours = (bench: Bench) => {
  const { subscription, event } = dumpCrm(bench)
  return subscription.length + event.length
}
/**
 * What an account's refusal may cost for one kind of write: halving down to one row, a handful of single rows, two
 * lanes.
 */
const refusalsMax = 30

describe('an account without room for more records', () => {
  it.each([
    ['row', 58],
    ['row', 120],
    ['batch', 58],
    ['batch', 120],
  ] as const)(
    'ends the push early and says so once, by %s, with twice %i records',
    async (refusal, count) => {
      const bench = await openWith(numbered(count).map(addressless))
      await limit(bench, { customRecords: 0, refusal })
      bench.simulator.requests.clear()
      const run = await bench.push()
      expect(run).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('The limit of 0 records'),
      })
      expect(run.error).toContain('The account uses 0 of its 0 records of custom objects.')
      expect(run.error?.match(/The limit of/g)).toHaveLength(1)
      await tellsOfEach(bench, run, /^The limit of 0 records/)
      expect(refusedOf(bench).length).toBeLessThanOrEqual(refusalsMax)
      await limit(bench, { customRecords: null })
      expect(await bench.push()).toMatchObject({ status: 'completed', failed_records: 0 })
      expect(ours(bench)).toBe(2 * count)
    },
  )

  it.each(['row', 'batch'])('fills it, and goes on writing to what is there, by %s', async (refusal) => {
    const ids = numbered(30)
    const bench = await openWith(ids.map(addressless))
    await limit(bench, { customRecords: 10, refusal })
    expect(await bench.push()).toMatchObject({ status: 'failed' })
    expect(ours(bench)).toBe(10)
    await saveLedger(
      bench,
      ids.map((id) => ({ ...addressless(id), mrrCents: 700 })),
    )
    bench.clock.now += 60_000
    bench.simulator.requests.clear()
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'failed' })
    expect(dumpCrm(bench).subscription.filter((row) => row.includes('"mrr":"7'))).toHaveLength(10)
    expect(refusedOf(bench).length).toBeLessThanOrEqual(refusalsMax)
  })
})

describe('a refusal in the same words, whatever is sent', () => {
  it('of every record ends the push early, and what was not tried is still due', async () => {
    const counts: number[] = []
    for (const count of [58, 140]) {
      const bench = await openWith(numbered(count).map(addressless))
      const path = `/crm/objects/2026-09/${typeOf(bench, 'subscription').slice(0, 2)}`
      await refuse(bench, path)
      bench.simulator.requests.clear()
      const run = await bench.push()
      expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('may not write this') })
      await tellsOfEach(bench, run, /may not write this/)
      counts.push(refusedOf(bench).length)
      bench.simulator.faults.clear()
      expect(await bench.push()).toMatchObject({ status: 'completed', failed_records: 0 })
      expect(ours(bench)).toBe(2 * count)
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(refusalsMax)
  })

  it('puts a record aside that met it twice, so that others get their turn', async () => {
    const bench = await openWith(numbered(6).map(addressless))
    const path = `/crm/objects/2026-09/${typeOf(bench, 'subscription')}`
    await refuse(bench, path)
    const parked: number[] = []
    for (let round = 0; round < 2; round++) {
      await bench.push()
      const [reason] = await reasonsOf(bench)
      parked.push((reason?.subscriptions ?? 0) - (reason?.due ?? 0))
    }
    // What met it once is tried again by every push, so that Sync Health does not say that it waits for a person.
    expect(parked).toEqual([0, expect.any(Number)])
    expect(parked[1]).toBeGreaterThan(0)
    bench.simulator.requests.clear()
    await bench.push()
    expect(bench.simulator.requests.list(path).map(({ inputs }) => inputs)).not.toContain(6)
    bench.simulator.faults.clear()
    expect(await bench.push({ retriesFailed: true })).toMatchObject({ status: 'completed' })
    expect(ours(bench)).toBe(12)
  })

  it.each([
    ['company', 'new companies', '/crm/objects/2026-09/0-2/batch/create'],
    ['call about a company', 'new companies', '/crm/objects/2026-09/0-2/batch'],
    ['contact', 'new contacts', '/crm/objects/2026-09/0-1/batch/create'],
    ['association', 'new links between records', '/crm/associations/2026-09/2-'],
  ])('of every %s costs no more for many, is said once, and stops nothing else', async (_, sort, path) => {
    for (const count of [40, 90]) {
      const bench = await openWith(numbered(count).map(customer))
      await refuse(bench, path)
      bench.simulator.requests.clear()
      const run = await bench.push()
      expect(run).toMatchObject({ status: 'failed', processed_records: 2 * count, failed_records: 0 })
      // The phase that it ended in may have gone well.
      expect(run.failed_phase).toBeNull()
      expect(run.error).toMatch(new RegExp(`^HubSpot refused ${sort} for the whole account: Account`))
      expect(await bench.errorsOf(run.id)).toEqual([])
      expect(refusedOf(bench).length).toBeLessThanOrEqual(refusalsMax)
      expect(ours(bench)).toBe(2 * count)
      bench.simulator.faults.clear()
      expect(await bench.push()).toMatchObject({ status: 'completed' })
      const ties = dumpCrm(bench).associations.filter((tie) =>
        /^subscription .* -> (company|contact)/.test(tie),
      )
      expect(ties).toHaveLength(2 * count)
    }
  })

  it('of every record to be taken out leaves them due, and stops nothing else', async () => {
    const bench = await openWith(numbered(60).map(addressless))
    await bench.push()
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql, organizationId }) =>
      sql.deleteFrom('events').where('organization_id', '=', organizationId).execute(),
    )
    await refuse(bench, `/crm/objects/2026-09/${typeOf(bench, 'event')}/batch/archive`)
    bench.simulator.requests.clear()
    const run = await bench.push()
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('refused the removal of records for'),
    })
    expect(await bench.errorsOf(run.id)).toEqual([])
    expect(refusedOf(bench).length).toBeLessThanOrEqual(refusalsMax)
    bench.simulator.faults.clear()
    await bench.push()
    expect(dumpCrm(bench).event).toEqual([])
  })

  it('of every association ends a repair with its reason', async () => {
    const bench = await openWith(numbered(40).map(customer))
    await refuse(bench, `/crm/associations/2026-09/${typeOf(bench, 'subscription')}/0-2/batch/associate`)
    await bench.push()
    bench.simulator.requests.clear()
    const repairing = repairNow(bench.deps, bench.organizationId, [
      { kind: 'subscription', target: 'company' },
    ])
    await expect(repairing).rejects.toThrow(/for the whole account/)
    expect(refusedOf(bench).length).toBeLessThanOrEqual(refusalsMax)
  })
})
