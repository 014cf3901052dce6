import { type Attention, getAttention } from '#contract/dashboard.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { type ListSum, sumOfStatus, sumToMatch } from '../../store/lists/attention.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { findNewestRun } from '../../store/runs/runs.ts'

export function serveAttention(router: Router): void {
  serve(router, getAttention, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      return {
        reportingCurrency: await getReportingCurrency(tenant),
        customersToMatch: toListSum(await sumToMatch(tenant)),
        pastDue: toListSum(await sumOfStatus(tenant, 'past_due')),
        deadConnections: await readDeadConnections(tenant),
        failedRuns: await readFailedRuns(tenant),
      }
    }),
  )
}

function toListSum({ count, mrrCents }: ListSum) {
  return { count, mrr: mrrCents }
}

async function readDeadConnections(tenant: Tenant): Promise<Attention['deadConnections']> {
  const { payments, crm } = await findConnections(tenant)
  const named = [
    { provider: 'stripe', reason: payments?.warning },
    { provider: 'hubspot', reason: crm?.warning },
  ] as const
  return named.flatMap(({ provider, reason }) => (reason ? [{ provider, reason }] : []))
}

async function readFailedRuns(tenant: Tenant): Promise<Attention['failedRuns']> {
  const newest = [
    { type: 'import', run: await findNewestRun(tenant, 'import') },
    { type: 'sync', run: await findNewestRun(tenant, 'push') },
    { type: 'recount', run: await findNewestRun(tenant, 'recount') },
  ] as const
  return newest.flatMap(({ type, run }) =>
    run?.status !== 'failed' || run.completed_at === null
      ? []
      : [{ type, reason: run.error ?? run.message, endedAt: run.completed_at.toISOString() }],
  )
}
