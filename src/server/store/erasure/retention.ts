import { type RawBuilder, sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/** How long the oldest rows stay, by the days; docs/operations.md says it in words. */
export const keptDays = { runDetails: 400, invitations: 90, portalIndex: 30, mails: 2 } as const

/** A batch at a time, each in a statement of its own, so that nobody waits for it. */
const batchMax = 5_000

/**
 * Forgets what belongs to no organization and is over: invitations, sessions, links of mails, and mails that nobody carries. By
 * the clock of the database, so that a process whose clock is wrong signs nobody out.
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
  // One that is still open is over by its time alone.
  await over('invitation', sql`greatest("createdAt", "expiresAt")`, keptDays.invitations)
  await over('session', sql`"expiresAt"`, 0)
  await over('verification', sql`"expiresAt"`, 0)
  await over('outbox', sql`created_at`, keptDays.mails)
}

const dayMs = 24 * 3_600_000

/** Forgets the details of the organization's oldest runs: what was said of single records, its log, its place in lists. */
export async function forgetRunDetails(tenant: Tenant, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays.runDetails * dayMs)
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  await sql`delete from run_errors where ${ofTenant} and created_at < ${before}`.execute(tenant.sql)
  await sql`delete from run_logs where ${ofTenant} and created_at < ${before}`.execute(tenant.sql)
  await sql`
    delete from run_slices where ${ofTenant} and run_id in (
      select id from runs where ${ofTenant} and completed_at < ${before})`.execute(tenant.sql)
  await sql`delete from oauth_states where ${ofTenant} and expires_at < ${now}`.execute(tenant.sql)
}

/**
 * Empties the index of portals that have not been connected for so long, and what open matches quote of it. When a portal
 * left is noted by the first look after that; who comes back in time finds the index as it was, later all is found anew.
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
