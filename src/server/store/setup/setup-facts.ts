import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { RunKind } from '../runs/runs.ts'

/** The newest run of the kind that came to its end; null without one. A push that did only a part is none. */
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

/** 'forgotten' where one has come to its end, but before the setup was last reset. */
export type RunFact = 'none' | 'forgotten' | 'done'

/** Whether an import and a push have come to their end since the setup was last reset. */
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

export type RecordCounts = { customers: number; subscriptions: number; events: number }

/** How much was imported and derived. Deleted customers do not count, nor subscriptions whose figures are not known yet. */
export async function countRecords(tenant: Tenant): Promise<RecordCounts> {
  const { organizationId } = tenant
  const customers = tenant.sql
    .selectFrom('customers')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', false)
  const subscriptions = tenant.sql
    .selectFrom('subscriptions')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('quantity', 'is not', null)
  const events = tenant.sql
    .selectFrom('events')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
  return {
    customers: (await customers.executeTakeFirstOrThrow()).count,
    subscriptions: (await subscriptions.executeTakeFirstOrThrow()).count,
    events: (await events.executeTakeFirstOrThrow()).count,
  }
}
