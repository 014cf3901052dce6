import { type RawBuilder, sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/** How many days rows are kept; docs/operations.md explains this. */
export const keptDays = { runDetails: 400, invitations: 90, portalIndex: 30, mails: 2 } as const

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

/** Deletes the details of the organization's oldest runs: messages about single records, logs and list positions. */
export async function forgetRunDetails(tenant: Tenant, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays.runDetails * dayMs)
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  await sql`delete from run_errors where ${ofTenant} and created_at < ${before}`.execute(tenant.sql)
  await sql`delete from run_logs where ${ofTenant} and created_at < ${before}`.execute(tenant.sql)
  for (const table of ['import_plans', 'import_windows', 'import_objects'])
    await sql`
      delete from ${sql.table(table)} where ${ofTenant} and run_id in (
        select id from runs where ${ofTenant} and completed_at < ${before})`.execute(tenant.sql)
  await sql`delete from oauth_states where ${ofTenant} and expires_at < ${now}`.execute(tenant.sql)
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
  const before = new Date(now.getTime() - keptDays.portalIndex * dayMs)
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
