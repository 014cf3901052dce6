import { type RawBuilder, sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/**
 * How many days rows are kept; docs/operations.md explains this. `quietRunDetails`: of runs without changes. After `runs`
 * days, the runs of a day are one line of each kind, for `runDays` days.
 */
export const keptDays = {
  quietRunDetails: 30,
  runDetails: 400,
  runs: 400,
  runDays: 1_826,
  invitations: 90,
  portalIndex: 30,
  mails: 2,
} as const

/** Delete in separate statements of this size, so that none blocks others for long. */
const batchMax = 5_000

/**
 * Deletes expired data without an organization: invitations, sessions, mailed links and undeliverable mails. Uses the
 * database's clock, so that a process with a wrong clock signs nobody out.
 */
export async function forgetOverdue(database: Database): Promise<void> {
  const over = (table: string, since: RawBuilder<unknown>, days: number) =>
    inBatches(async () => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where id in (
          select id from ${sql.table(table)}
           where ${since} < current_timestamp - make_interval(days => ${days}) limit ${batchMax})`.execute(
        database,
      )
      return Number(numAffectedRows ?? 0n)
    })
  // An open invitation ends only by its expiry.
  await over('invitation', sql`greatest("createdAt", "expiresAt")`, keptDays.invitations)
  await over('session', sql`"expiresAt"`, 0)
  await over('verification', sql`"expiresAt"`, 0)
  await over('outbox', sql`created_at`, keptDays.mails)
}

const dayMs = 24 * 3_600_000

/** Completed without errors, and nothing was read again or written; a nightly import reads everything whatever changed. */
const isQuiet = sql`
  status = 'completed' and failed_records = 0
  and (processed_records = 0 or options @> '{"mode": "historical", "isScheduled": true}')`

/**
 * Deletes the details of the organization's oldest runs: messages about single records, logs and list positions. Those
 * of runs without changes go earlier.
 */
export async function forgetRunDetails(tenant: Tenant, now: Date): Promise<void> {
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  const before = daysBefore(now, keptDays.runDetails)
  await sql`delete from run_errors where ${ofTenant} and created_at < ${before}`.execute(tenant.sql)
  await sql`delete from run_logs where ${ofTenant} and created_at < ${before}`.execute(tenant.sql)
  const quiet = sql`
    select id from runs where ${ofTenant} and ${isQuiet}
       and completed_at < ${daysBefore(now, keptDays.quietRunDetails)} and completed_at >= ${before}`
  for (const table of ['run_errors', 'run_logs'])
    await sql`delete from ${sql.table(table)} where ${ofTenant} and run_id in (${quiet})`.execute(tenant.sql)
  await sql`
    delete from run_records where ${ofTenant} and run_id in (
      select id from runs where ${ofTenant} and completed_at < ${before})`.execute(tenant.sql)
  for (const table of ['import_plans', 'import_windows', 'import_objects'])
    await sql`
      delete from ${sql.table(table)} where ${ofTenant} and run_id in (
        select id from runs where ${ofTenant} and completed_at < ${before} union all ${quiet})`.execute(
      tenant.sql,
    )
  await sql`delete from oauth_states where ${ofTenant} and expires_at < ${now}`.execute(tenant.sql)
}

/**
 * Leaves one line of each kind a day (UTC) of the organization's oldest runs: the newest of the day, with sums. The newest
 * of each kind and status stays as it is, because setup and schedules ask for it.
 */
export async function gatherOldRuns(tenant: Tenant, now: Date): Promise<void> {
  const { organizationId } = tenant
  const ofTenant = sql`organization_id = ${organizationId}`
  const newest = sql`
    select distinct on (kind, status) id from runs where ${ofTenant} order by kind, status, created_at desc, id desc`
  const old = sql`
    ${ofTenant} and status <> 'in_progress' and created_at < ${startOfDay(daysBefore(now, keptDays.runs))}
    and id not in (${newest})`
  await sql`
    with old as (
      select id, kind, (created_at at time zone 'UTC')::date as day, created_at, processed_records, failed_records,
             changed_subscriptions, changed_events, changed_links, created_companies, created_contacts, is_unchanged,
             coalesce((options ->> 'runsOfDay')::bigint, 1) as runs,
             coalesce((options ->> 'failedOfDay')::bigint, (status = 'failed')::integer) as failed
        from runs where ${old}),
    numbered as (
      select *, row_number() over (partition by kind, day order by created_at desc, id desc) as place from old),
    days as (
      select kind, day, sum(runs) as runs, sum(failed) as failed,
             least(sum(processed_records), 2147483647)::integer as processed_records,
             least(sum(failed_records), 2147483647)::integer as failed_records,
             least(sum(changed_subscriptions), 2147483647)::integer as changed_subscriptions,
             least(sum(changed_events), 2147483647)::integer as changed_events,
             least(sum(changed_links), 2147483647)::integer as changed_links,
             least(sum(created_companies), 2147483647)::integer as created_companies,
             least(sum(created_contacts), 2147483647)::integer as created_contacts,
             bool_and(is_unchanged) as is_unchanged
        from numbered group by kind, day having count(*) > 1),
    gone as (
      delete from runs where ${ofTenant} and id in (
        select id from numbered join days using (kind, day) where place > 1))
    update runs
       set processed_records = d.processed_records, total_records = d.processed_records,
           failed_records = d.failed_records, is_unchanged = d.is_unchanged,
           changed_subscriptions = d.changed_subscriptions, changed_events = d.changed_events,
           changed_links = d.changed_links, created_companies = d.created_companies,
           created_contacts = d.created_contacts, started_by = null, started_by_user_id = null, follows_run_id = null,
           failed_phase = null, failed_request = null,
           options = options || jsonb_build_object('runsOfDay', d.runs, 'failedOfDay', d.failed),
           message = d.runs || ' runs of this day' || case d.failed when 0 then '.' else ', ' || d.failed || ' failed.' end
      from numbered n join days d using (kind, day)
     where runs.organization_id = ${organizationId} and runs.id = n.id and n.place = 1`.execute(tenant.sql)
  await sql`delete from runs where ${old} and created_at < ${daysBefore(now, keptDays.runDays)}`.execute(
    tenant.sql,
  )
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs)
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs)
}

/**
 * Empties the index of portals that were disconnected for long, and what open matches quote from it. The first look
 * after disconnecting starts the period; after reconnecting later, the index is rebuilt.
 */
export async function forgetLeftPortals(tenant: Tenant, now: Date): Promise<void> {
  const { organizationId } = tenant
  const connected = sql`(
    select account_id from connections where organization_id = ${organizationId} and provider = 'crm'
       and account_id is not null)`
  await sql`
    delete from crm_departures where organization_id = ${organizationId} and portal_id in ${connected}`.execute(
    tenant.sql,
  )
  await sql`
    insert into crm_departures (organization_id, portal_id, left_at)
    select ${organizationId}, portal_id, ${now} from (
      select portal_id from crm_companies where organization_id = ${organizationId}
      union select portal_id from crm_contacts where organization_id = ${organizationId}
      union select portal_id from crm_listings where organization_id = ${organizationId}) as indexed
     where portal_id not in ${connected}
    on conflict do nothing`.execute(tenant.sql)
  const before = daysBefore(now, keptDays.portalIndex)
  const left = sql`organization_id = ${organizationId} and portal_id in (
    select portal_id from crm_departures where organization_id = ${organizationId} and left_at <= ${before})`
  await sql`update matches set candidates = '[]' where ${left} and candidates <> '[]'`.execute(tenant.sql)
  for (const table of ['crm_companies', 'crm_contacts', 'crm_listings', 'crm_departures']) {
    await sql`delete from ${sql.table(table)} where ${left}`.execute(tenant.sql)
  }
}

async function inBatches(forget: () => Promise<number>): Promise<void> {
  while ((await forget()) === batchMax);
}
