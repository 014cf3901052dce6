import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { RunKind } from '../runs/runs.ts'
import { countListed } from '../totals/list-totals.ts'

/** The newest completed run of the kind; null without one. A push of only a part does not count. */
export async function findNewestCompletedRunId(tenant: Tenant, kind: RunKind): Promise<string | null> {
  const run = await tenant.sql
    .selectFrom('runs')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', kind)
    .where('status', '=', 'completed')
    .where(sql<boolean>`not options ? 'part'`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.id ?? null
}

/** 'forgotten' if one was completed, but before the last reset of the setup. */
export type RunFact = 'none' | 'forgotten' | 'done'

/** Whether an import and a push were completed since the last reset of the setup. */
export async function getRunFacts(tenant: Tenant): Promise<{ import: RunFact; push: RunFact }> {
  const forgotten = await tenant.sql
    .selectFrom('organization_settings')
    .select(['forgotten_import_id', 'forgotten_push_id'])
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return {
    import: factOf(await findNewestCompletedRunId(tenant, 'import'), forgotten?.forgotten_import_id),
    push: factOf(await findNewestCompletedRunId(tenant, 'push'), forgotten?.forgotten_push_id),
  }
}

function factOf(newestId: string | null, forgottenId: string | null | undefined): RunFact {
  if (newestId === null) return 'none'
  return newestId === forgottenId ? 'forgotten' : 'done'
}

type RowCounts = { subscriptions: number; events: number }
export type RecordCounts = RowCounts & { customers: number }

/** How many subscriptions and events are listed, from kept totals. */
export async function countRows(tenant: Tenant): Promise<RowCounts> {
  const { rows } = await sql<RowCounts>`
    select (${countListed(tenant, 'subscriptions')}) as subscriptions,
           (${countListed(tenant, 'events')}) as events`.execute(tenant.sql)
  return rows[0] ?? { subscriptions: 0, events: 0 }
}

/** How much was imported and derived. Excludes deleted customers and subscriptions without known figures. */
export async function countRecords(tenant: Tenant): Promise<RecordCounts> {
  const customers = await tenant.sql
    .selectFrom('customers')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('is_deleted', '=', false)
    .executeTakeFirstOrThrow()
  return { customers: customers.count, ...(await countRows(tenant)) }
}

/** Whether there are records, and the portal holds none of them. Reads at most a few rows along indexes. */
export async function areNoneSent(tenant: Tenant, portalId: string): Promise<boolean> {
  const { organizationId } = tenant
  const { rows } = await sql<{ isSo: boolean }>`
    select exists (select from subscriptions where organization_id = ${organizationId} and quantity is not null)
           and not exists (select from crm_links
                            where organization_id = ${organizationId} and portal_id = ${portalId}
                              and kind = 'subscription' and record_id is not null)
           and not exists (select from crm_links
                            where organization_id = ${organizationId} and portal_id = ${portalId}
                              and kind = 'event' and record_id is not null) as "isSo"`.execute(tenant.sql)
  return rows[0]?.isSo === true
}

/** Whether a payment provider is connected, without which no sync runs. */
export async function hasPayments(tenant: Tenant): Promise<boolean> {
  const row = await tenant.sql
    .selectFrom('connections')
    .select('provider')
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', 'payments')
    .executeTakeFirst()
  return row !== undefined
}
