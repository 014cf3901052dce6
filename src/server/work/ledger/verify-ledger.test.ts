import { afterEach, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { generatedWorld, type ImportStage } from '#test/import/stage-import.ts'
import { recountLists } from '#test/store/kept-totals.ts'
import { checkLedgerPage, sumChanges } from '../../store/ledger/ledger-check.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { countRecords } from '../../store/setup/setup-facts.ts'

let stage: ImportStage
afterEach(() => stage.close())

const customers = 30

async function imported(): Promise<ImportStage> {
  stage = await importedStage({ world: generatedWorld(customers) })
  expect(await sql('select status, failed_records from runs')).toEqual([
    { status: 'completed', failed_records: 0 },
  ])
  expect(await errors()).toEqual([])
  return stage
}

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row & Record<string, unknown>>(stage.db.ownerUrl, text, values)
const errors = () =>
  sql<{ source_id: string | null; message: string }>('select source_id, message from run_errors order by id')

/** Runs another import, one hour later without any event, so that no customer is due. */
async function importNothing() {
  const until = stage.deps.now()
  return stage.work(await stage.start({ mode: 'window', from: new Date(until.getTime() - 3_600_000), until }))
}

/** The subscription with the most events. */
async function busiest(): Promise<{ id: string; currency: string }> {
  const [row] = await sql<{ id: string; currency: string }>(
    `select subscription_id as id, min(currency) as currency from events
      group by 1 having count(*) > 2 and bool_and(mrr_change_cents <> 0) order by count(*) desc, 1 limit 1`,
  )
  return row ?? { id: '', currency: '' }
}

describe('the identities', () => {
  it('hold on a whole account', async () => {
    await imported()
    const ended = await importNothing()
    expect(ended).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(ended.message).not.toContain('add up')
    expect(await errors()).toEqual([])
  })

  it('find every event in a chain, so that nobody looks for those without a subscription', async () => {
    const { deps, organizationId } = await imported()
    const counts = await inOrganization(deps.database, organizationId, async (tenant) => ({
      ofChains: (await checkLedgerPage(tenant, { after: '', limit: 1_000 })).eventCount,
      ofAll: (await sumChanges(tenant)).reduce((sum, { eventCount }) => sum + eventCount, 0),
      kept: (await countRecords(tenant)).events,
    }))
    expect(counts.kept).toBeGreaterThan(0)
    expect(counts).toEqual({ ofChains: counts.kept, ofAll: counts.kept, kept: counts.kept })
  })

  it('tell of a chain that is broken, by subscription, and the others go through', async () => {
    await imported()
    const { id } = await busiest()
    await sql(
      `update events set previous_mrr_cents = previous_mrr_cents + 100, current_mrr_cents = current_mrr_cents + 100
        where id = (select id from events where subscription_id = $1 order by occurred_at, position offset 1 limit 1)`,
      [id],
    )
    const ended = await importNothing()
    expect(ended).toMatchObject({ status: 'completed' })
    expect(ended.failed_records).toBeGreaterThan(0)
    const found = await errors()
    expect(found.filter(({ source_id }) => source_id !== null)).toEqual([
      { source_id: id, message: expect.stringMatching(/starts from .+ but the one before ended at/) },
    ])
    expect(ended.failed_records).toBe(found.length)
    expect(ended.message).toMatch(/not add up/)
  })

  it('tell of a figure that is not the sum of its changes, and that the dashboard is off', async () => {
    await imported()
    const { id, currency } = await busiest()
    await sql('update subscriptions set current_mrr_cents = current_mrr_cents + 4200 where id = $1', [id])
    await recountLists(stage.db.ownerUrl, stage.organizationId)
    const ended = await importNothing()
    expect(await errors()).toEqual([
      { source_id: id, message: expect.stringMatching(/add up to .+ but it is shown with/) },
      {
        source_id: null,
        message: expect.stringMatching(new RegExp(`dashboard shows .+ ${currency.toUpperCase()}`)),
      },
    ])
    expect(ended).toMatchObject({ status: 'completed', failed_records: 2 })
  })

  it('tell of events of a subscription that is not there, though they sum to nothing', async () => {
    await imported()
    for (const [id, from, to] of [
      ['gone/1', 0, 900],
      ['gone/2', 900, 0],
    ] as const) {
      await sql(
        `insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status,
           change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity, currency)
         select organization_id, $1, 'sub_gone', 'cus_gone', now(), 0, 'New', 'new_subscription',
                $2::int, $3::int, $3::int - $2::int, 0, 1, 'usd' from events limit 1`,
        [id, from, to],
      )
    }
    await recountLists(stage.db.ownerUrl, stage.organizationId)
    const ended = await importNothing()
    expect(await errors()).toEqual([
      { source_id: 'sub_gone', message: 'Events of it are kept, but there is no such subscription.' },
    ])
    expect(ended).toMatchObject({ status: 'completed', failed_records: 1 })
  })

  it('tell of an event that was moved to a subscription that is not there', async () => {
    await imported()
    const { id } = await busiest()
    await sql(
      `update events set previous_mrr_cents = 0, current_mrr_cents = mrr_change_cents, subscription_id = 'sub_gone'
        where id = (select id from events where subscription_id <> $1 and mrr_change_cents > 0 limit 1)`,
      [id],
    )
    await importNothing()
    expect((await errors()).map(({ source_id }) => source_id)).not.toEqual([])
  })

  it('are held by no import that could not take the snapshots', async () => {
    await imported()
    await sql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no snapshots'; end $$`,
    )
    await sql(
      'create trigger refuse before insert or update on snapshots for each row execute function refuse()',
    )
    await sql('delete from snapshots')
    await expect(importNothing()).rejects.toThrow('no snapshots')
  })

  it('tell of a snapshot that is not the state of its 1st', async () => {
    await imported()
    // Every check derives the snapshots again first, so only a fault in the derivation itself can appear.
    await sql(
      `create function miscount() returns trigger language plpgsql as
        $$ begin new.mrr_cents := new.mrr_cents + 7; return new; end $$`,
    )
    await sql(
      'create trigger miscount before insert or update on snapshots for each row execute function miscount()',
    )
    await sql(`delete from snapshots where month = (select max(month) from snapshots)`)
    await importNothing()
    const found = await errors()
    expect(found.length).toBeGreaterThan(0)
    for (const { source_id, message } of found) {
      expect([source_id, message]).toEqual([null, expect.stringMatching(/^The snapshot of 20\d\d-\d\d says/)])
    }
  })

  it('are healed by the rebuild of the customer that they are broken for', async () => {
    await imported()
    const { id } = await busiest()
    await sql('update subscriptions set current_mrr_cents = 1 where id = $1', [id])
    await recountLists(stage.db.ownerUrl, stage.organizationId)
    await sql(
      'update customers set is_rebuild_due = true where id = (select customer_id from subscriptions where id = $1)',
      [id],
    )
    expect(await importNothing()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(await errors()).toEqual([])
  })
})
