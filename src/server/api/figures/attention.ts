import { type Attention, getAttention } from '#contract/dashboard.ts'
import { dayOfDate } from '#domain/instant.ts'
import { levelOf } from '#domain/reporting/revalued.ts'
import { type Router, serve } from '../../http/serve.ts'
import {
  type CurrencySum,
  countEventsOfFilter,
  sumOfFilter,
  sumOfStatus,
  sumToMatch,
  sumToMatchByCurrency,
} from '../../store/lists/attention.ts'
import { countedMax } from '../../store/lists/find-text.ts'
import type { SubscriptionFilter } from '../../store/lists/list-filters.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReporting, getReportingCurrency } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'
import { findLastEnded } from '../../store/runs/last-ended.ts'
import { promisedSince } from '../freshness.ts'
import { type LastRun, readSyncStanding, type SyncStanding } from '../sync-standing.ts'

export function serveAttention(router: Router): void {
  serve(router, getAttention, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const now = deps.now()
      const standing = await readSyncStanding(tenant)
      const { refused, lastImport, lastSync } = standing
      const worth = (rows: readonly CurrencySum[]) => sumAtRates(tenant, rows, now)
      const capped = async (filter: SubscriptionFilter) =>
        capSum(await worth(await sumOfFilter(tenant, filter)))
      return {
        reportingCurrency: await getReportingCurrency(tenant),
        customersToMatch: await readToMatch(tenant, now),
        pastDue: await worth(await sumOfStatus(tenant, 'past_due')),
        canceling: await capped({ isCanceling: true }),
        failing: await capped({ isFailing: true }),
        failingEvents: cap(await countEventsOfFilter(tenant, { isFailing: true })),
        stale: await capped({ stale: { is: true, before: await promisedSince(tenant, now) } }),
        deadConnections: refused,
        disconnected: await findDisconnected(tenant, standing),
        undecidedAccount: undecidedOf(standing),
        failedRuns: failedRunsOf([
          ['import', lastImport],
          ['sync', lastSync],
          ['recount', await findLastRecount(tenant)],
        ]),
      }
    }),
  )
}

/** The MRR of more customers takes too long to read by currency, so theirs is that of their rows, converted on the day. */
const atRatesMax = 10_000

/** The customers that wait in the match review, their MRR at the rates of the day where levels are revalued. */
export async function readToMatch(tenant: Tenant, now: Date): Promise<Attention['customersToMatch']> {
  const { count, mrrCents } = await sumToMatch(tenant)
  const reporting = await getReporting(tenant)
  if (reporting.method !== 'revalued' || count > atRatesMax) return { count, mrr: mrrCents }
  const own = await sumToMatchByCurrency(tenant)
  const today = dayOfDate(now)
  const worthOf = await loadValues(tenant, reporting, own, [today])
  return { count, mrr: worthOf === null ? mrrCents : levelOf(own, today, worthOf) }
}

/** The sum of rows that were counted to one more than is told. */
export function capSum({ count, mrr }: { count: number; mrr: number }): Attention['failing'] {
  const counted = cap(count)
  return { ...counted, mrr: counted.isCapped ? null : mrr }
}

export const cap = (count: number) => ({ count: Math.min(count, countedMax), isCapped: count > countedMax })

/** The subscriptions of all currencies, their MRR at the rates of the day where levels are revalued. */
export async function sumAtRates(tenant: Tenant, rows: readonly CurrencySum[], now: Date) {
  const today = dayOfDate(now)
  const worthOf = await loadValues(tenant, await getReporting(tenant), rows, [today])
  const worthOfRow = ({ ownCents, currency, reportingCents }: CurrencySum) =>
    worthOf === null ? reportingCents : (worthOf(ownCents, currency, today) ?? 0)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    mrr: rows.reduce((sum, row) => sum + worthOfRow(row), 0),
  }
}

/** The providers that a completed run used and that are not connected now. */
async function findDisconnected(
  tenant: Tenant,
  { payments, crm }: Pick<SyncStanding, 'payments' | 'crm'>,
): Promise<Attention['disconnected']> {
  const last = async (provider: 'stripe' | 'hubspot', kind: 'import' | 'push') => {
    const run = await findLastEnded(tenant, ['completed'], [kind])
    return run === undefined ? [] : [{ provider, lastAt: run.completed_at.toISOString() }]
  }
  return [
    ...(payments === undefined ? await last('stripe', 'import') : []),
    ...(crm === undefined ? await last('hubspot', 'push') : []),
  ]
}

function undecidedOf({ crm }: Pick<SyncStanding, 'crm'>): Attention['undecidedAccount'] {
  if (!crm?.account_id || crm.earlier_account_id === null) return null
  return { portalId: crm.account_id, earlierPortalId: crm.earlier_account_id }
}

/** The last run of each kind, where it failed and no other item says why. */
function failedRunsOf(
  lastRuns: readonly (readonly [Attention['failedRuns'][number]['type'], LastRun | undefined])[],
): Attention['failedRuns'] {
  return lastRuns.flatMap(([type, last]) =>
    last?.problem
      ? [
          {
            id: last.run.id,
            type,
            problem: last.problem,
            reason: last.run.error ?? last.run.message,
            endedAt: last.run.completed_at.toISOString(),
          },
        ]
      : [],
  )
}

async function findLastRecount(tenant: Tenant): Promise<LastRun | undefined> {
  const run = await findLastEnded(tenant, ['completed', 'failed'], ['recount'])
  return run && { run, problem: run.status === 'failed' ? 'failed' : null }
}
