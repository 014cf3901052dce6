import { type Attention, getAttention } from '#contract/dashboard.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { type ListSum, sumOfStatus, sumToMatch } from '../../store/lists/attention.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReporting, getReportingCurrency } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'
import { findNewestRun } from '../../store/runs/runs.ts'

export function serveAttention(router: Router): void {
  serve(router, getAttention, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      return {
        reportingCurrency: await getReportingCurrency(tenant),
        customersToMatch: toListSum(await sumToMatch(tenant)),
        pastDue: await readStatus(tenant, 'past_due', deps.now()),
        deadConnections: await readDeadConnections(tenant),
        failedRuns: await readFailedRuns(tenant),
      }
    }),
  )
}

function toListSum({ count, mrrCents }: ListSum) {
  return { count, mrr: mrrCents }
}

async function readStatus(tenant: Tenant, status: string, now: Date) {
  const rows = await sumOfStatus(tenant, status)
  const today = now.toISOString().slice(0, 10)
  const worthOf = await loadValues(tenant, await getReporting(tenant), rows, [today])
  const worthOfRow = ({ ownCents, currency, reportingCents }: (typeof rows)[number]) =>
    worthOf === null ? reportingCents : (worthOf(ownCents, currency, today) ?? 0)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    mrr: rows.reduce((sum, row) => sum + worthOfRow(row), 0),
  }
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
