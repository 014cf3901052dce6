import { afterEach, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { reopenCustomersWithOlderObjects } from '../../../store/ledger/reopen-customers.ts'
import { saveObservations } from '../../../store/payments/observations.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'

let stage: ImportStage
afterEach(() => stage.close())

function within<T>(work: (tenant: Tenant) => Promise<T>): Promise<T> {
  return inOrganization(stage.deps.database, stage.organizationId, work)
}

/** An account in which one customer has a subscription older than the customer. */
async function stageEarly(): Promise<{ customerId: string; subscriptionId: string }> {
  stage = await stageImport({ world: generatedWorld(5) })
  await stage.importAll()
  await query(stage.db.ownerUrl, 'delete from mrr_sightings')
  const [early] = await query<{ customer_id: string; id: string }>(
    stage.db.ownerUrl,
    'select customer_id, id from subscriptions order by id limit 1',
  )
  const { customer_id: customerId = '', id: subscriptionId = '' } = early ?? {}
  await query(
    stage.db.ownerUrl,
    "update customers set created_at = now() + interval '9 years' where id = $1",
    [customerId],
  )
  return { customerId, subscriptionId }
}

/** Waits until a statement of another transaction waits for a row. */
async function untilOneWaits(): Promise<void> {
  const waiting = () =>
    query(
      stage.db.ownerUrl,
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  await expect.poll(waiting).not.toEqual([])
}

it('whoever is being rebuilt at that moment is waited for, marked, and what was seen of it forgotten', async () => {
  const { customerId, subscriptionId } = await stageEarly()
  let marking: Promise<void> | undefined
  await within(async (tenant) => {
    await tenant.sql
      .updateTable('customers')
      .set({ is_rebuild_due: false, name: 'Rebuilt' })
      .where('id', '=', customerId)
      .execute()
    await saveObservations(tenant, [{ kind: 'asked', id: 'seen', subscriptionId, at: 1 }])
    marking = within((other) => reopenCustomersWithOlderObjects(other))
    await untilOneWaits()
  })
  await marking
  const due = await query(stage.db.ownerUrl, 'select id from customers where is_rebuild_due')
  expect(due).toEqual([{ id: customerId }])
  expect(await query(stage.db.ownerUrl, 'select id from mrr_sightings')).toEqual([])
})
