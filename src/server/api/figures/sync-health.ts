import { listTransactions } from '#contract/events.ts'
import { getSyncHealth, healthFilters, healthOrder, healthRows } from '#contract/lists/sync-health.ts'
import { listSubscriptions as listSubscriptionsCall } from '#contract/subscriptions.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findRefusals } from '../../store/crm/refusals.ts'
import { countFailingEvents, sumOfFilter } from '../../store/lists/attention.ts'
import { listEvents } from '../../store/lists/event-list.ts'
import { listSubscriptions } from '../../store/lists/subscription-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { type Links, readLinks } from '../links.ts'
import { subscriptionQueryOf } from '../lists/subscription-query.ts'
import { toSubscription } from '../subscription.ts'
import { toTransaction } from '../transaction.ts'
import { cap, capSum, readToMatch, sumAtRates } from './attention.ts'

export function serveSyncHealth(router: Router): void {
  serve(router, getSyncHealth, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const now = deps.now()
      const sumOf = async (part: Part) =>
        capSum(await sumAtRates(tenant, await sumOfFilter(tenant, await queryOf(tenant, part, now)), now))
      const sums = {
        reportingCurrency: await getReportingCurrency(tenant),
        inSync: await sumOf('inSync'),
        customersToMatch: await readToMatch(tenant, now),
        notInHubspot: await sumOf('notInHubspot'),
        changed: await sumOf('changed'),
        late: await sumOf('late'),
        failing: await sumOf('failing'),
        failingEvents: cap(await countFailingEvents(tenant)),
      }
      const links = await readLinks(deps, tenant)
      return {
        ...sums,
        firstFailing: await firstSubscriptions(tenant, links, now),
        firstFailingEvents: await firstEvents(tenant, links),
      }
    }),
  )
}

type Part = keyof typeof healthFilters

const limit = String(healthRows)

/** The first rows under a filter, as the list itself would read its address. */
function queryOf(tenant: Tenant, part: Part, now: Date) {
  const query = listSubscriptionsCall.query.parse({ ...healthFilters[part], ...healthOrder, limit })
  return subscriptionQueryOf(tenant, query, now)
}

async function firstSubscriptions(tenant: Tenant, links: Links, now: Date) {
  const { subscriptions } = await listSubscriptions(tenant, await queryOf(tenant, 'failing', now))
  const reasons = await findRefusals(tenant, 'subscription', idsOf(subscriptions))
  return subscriptions.map((row) => ({
    ...toSubscription(row, links),
    reason: reasons.get(row.id) ?? null,
  }))
}

async function firstEvents(tenant: Tenant, links: Links) {
  const { events } = await listEvents(
    tenant,
    listTransactions.query.parse({ ...healthFilters.failing, limit }),
  )
  const reasons = await findRefusals(tenant, 'event', idsOf(events))
  return events.map((row) => ({ ...toTransaction(row, links), reason: reasons.get(row.id) ?? null }))
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
