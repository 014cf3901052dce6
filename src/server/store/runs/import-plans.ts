import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { SaveMode } from '../payments/invoices.ts'
import type { Tenant } from '../postgres/database.ts'

/** 'first' until an import of the account has completed: nothing is stored yet, and every customer is due. */
export type ImportMode = SaveMode

/** What the plan of an import found out; its other parts are windows and single objects to fetch. */
export type ImportPlan = {
  mode: ImportMode
  isFull: boolean
  /** Whether this import reads the whole list of customers, as every full import does. */
  areCustomersRead: boolean
  /** The end of the record of changes that this import has read; null if it could not read it. */
  eventsUntil: Instant | null
  /**
   * A lower bound of the provider's clock at planning: its newest change, else its newest invoice, else null.
   */
  clockAt: Instant | null
  /** Whether current figures of every subscription are stored, so that the history need not wait for them. */
  figuresStand: boolean
}

/** Saves the plan of a run. */
export async function savePlan(tenant: Tenant, runId: string, plan: ImportPlan): Promise<void> {
  await tenant.sql
    .insertInto('import_plans')
    .values({
      organization_id: tenant.organizationId,
      run_id: runId,
      mode: plan.mode,
      is_full: plan.isFull,
      are_customers_read: plan.areCustomersRead,
      events_until: plan.eventsUntil,
      clock_at: plan.clockAt,
      figures_stand: plan.figuresStand,
    })
    .execute()
}

/** The plan of a run; undefined until it is saved. */
export async function findPlan(tenant: Tenant, runId: string): Promise<ImportPlan | undefined> {
  const row = await tenant.sql
    .selectFrom('import_plans')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return (
    row && {
      mode: row.mode === 'first' ? 'first' : 'again',
      isFull: row.is_full,
      areCustomersRead: row.are_customers_read,
      eventsUntil: row.events_until,
      clockAt: row.clock_at,
      figuresStand: row.figures_stand,
    }
  )
}

/** Notes that current figures are stored, so that every worker reads the history at full pace. */
export async function noteFiguresStand(tenant: Tenant, runId: string): Promise<void> {
  await tenant.sql
    .updateTable('import_plans')
    .set({ figures_stand: true })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .execute()
}

/**
 * The newest import before this one that failed after `since` and left a plan, unless a later import did not
 * fail.
 */
export async function findFailedImport(
  tenant: Tenant,
  runId: string,
  since: Date,
): Promise<{ id: string; createdAt: Date } | undefined> {
  const { organizationId } = tenant
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    select id, created_at as "createdAt" from runs failed
     where organization_id = ${organizationId} and kind = 'import' and id <> ${runId}
       and status = 'failed' and completed_at >= ${since}
       and exists (select from import_plans where organization_id = ${organizationId} and run_id = failed.id)
       and not exists (select from runs later
                        where organization_id = ${organizationId} and kind = 'import' and id <> ${runId}
                          and status <> 'failed' and (created_at, id) > (failed.created_at, failed.id))
     order by created_at desc, id desc
     limit 1`.execute(tenant.sql)
  return rows[0]
}

/** Moves the windows and single objects of one run to another. */
export async function takeOverPlan(tenant: Tenant, from: string, to: string): Promise<void> {
  const { organizationId } = tenant
  await sql`
    update import_windows set run_id = ${to}, holder = null, lease_until = null
     where organization_id = ${organizationId} and run_id = ${from}`.execute(tenant.sql)
  await sql`
    update import_objects set run_id = ${to}
     where organization_id = ${organizationId} and run_id = ${from}`.execute(tenant.sql)
}

/** Deletes the plans of ended imports except this run, because no import continues them any more. */
export async function deleteOldPlans(tenant: Tenant, runId: string): Promise<void> {
  const ended = sql`
    organization_id = ${tenant.organizationId} and run_id <> ${runId} and run_id in (
      select id from runs
       where organization_id = ${tenant.organizationId} and kind = 'import' and status <> 'in_progress')`
  await sql`delete from import_windows where ${ended}`.execute(tenant.sql)
  await sql`delete from import_objects where ${ended}`.execute(tenant.sql)
  await sql`delete from import_plans where ${ended}`.execute(tenant.sql)
}

/**
 * Deletes earlier hints that found nothing: one every few minutes would fill the history with empty lines.
 */
export async function deleteEmptyImports(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    delete from runs
     where organization_id = ${tenant.organizationId} and id <> ${runId} and kind = 'import' and status = 'completed'
       and processed_records = 0 and options ->> 'isHint' = 'true'`.execute(tenant.sql)
}
