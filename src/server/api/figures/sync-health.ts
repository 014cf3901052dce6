import { listTransactions } from '#contract/events.ts'
import {
  eventHealthFilters,
  getSyncHealth,
  healthFilters,
  healthOrder,
  listRefusalReasons,
  listRefusedEvents,
  listRefusedSubscriptions,
} from '#contract/lists/sync-health.ts'
import { listSubscriptions as listSubscriptionsCall } from '#contract/subscriptions.ts'
import type { CrmKind } from '#domain/crm-record.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findRefusedFor, listRefusalReasons as listReasons } from '../../store/crm/refusal-reasons.ts'
import { findLastTries, findRefusals } from '../../store/crm/refusals.ts'
import { countDeletedThere, countEventsOfFilter, sumOfFilter } from '../../store/lists/attention.ts'
import { listEvents } from '../../store/lists/event-list.ts'
import { listSubscriptions } from '../../store/lists/subscription-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { readLinks } from '../links.ts'
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
      const countEvents = async (part: keyof typeof eventHealthFilters) =>
        cap(await countEventsOfFilter(tenant, eventsQueryOf(part)))
      return {
        reportingCurrency: await getReportingCurrency(tenant),
        inSync: await sumOf('inSync'),
        customersToMatch: await readToMatch(tenant, now),
        notInHubspot: {
          ...(await sumOf('notInHubspot')),
          deleted: await countDeletedThere(
            tenant,
            'subscription',
            await queryOf(tenant, 'notInHubspot', now),
          ),
        },
        changed: await sumOf('changed'),
        late: await sumOf('late'),
        failing: await sumOf('failing'),
        events: {
          inSync: await countEvents('inSync'),
          notInHubspot: {
            ...(await countEvents('notInHubspot')),
            deleted: await countDeletedThere(tenant, 'event', eventsQueryOf('notInHubspot')),
          },
          changed: await countEvents('changed'),
          failing: await countEvents('failing'),
        },
      }
    }),
  )

  serve(router, listRefusalReasons, ({ inOrganization }, { query }) =>
    inOrganization((tenant) => listReasons(tenant, query)),
  )

  serve(router, listRefusedSubscriptions, ({ deps, inOrganization }, { query: { reason, ...page } }) =>
    inOrganization(async (tenant) => {
      const rows = await ofReason(tenant, 'subscription', reason)
      const asked = { ...(await queryOf(tenant, 'failing', deps.now())), ...page, ...rows }
      const { subscriptions, ...counted } = await listSubscriptions(tenant, asked)
      const links = await readLinks(deps, tenant)
      const refusalOf = await readRefusals(tenant, 'subscription', subscriptions)
      return {
        ...counted,
        subscriptions: subscriptions.map((row) => ({ ...toSubscription(row, links), ...refusalOf(row) })),
      }
    }),
  )

  serve(router, listRefusedEvents, ({ deps, inOrganization }, { query: { reason, ...page } }) =>
    inOrganization(async (tenant) => {
      const rows = await ofReason(tenant, 'event', reason)
      const { events, ...counted } = await listEvents(tenant, {
        ...eventsQueryOf('failing'),
        ...page,
        ...rows,
      })
      const links = await readLinks(deps, tenant)
      const refusalOf = await readRefusals(tenant, 'event', events)
      return {
        ...counted,
        transactions: events.map((row) => ({ ...toTransaction(row, links), ...refusalOf(row) })),
      }
    }),
  )
}

type Part = keyof typeof healthFilters

/** The rows under a filter, as the list itself would read its address. */
function queryOf(tenant: Tenant, part: Part, now: Date) {
  const query = listSubscriptionsCall.query.parse({ ...healthFilters[part], ...healthOrder })
  return subscriptionQueryOf(tenant, query, now)
}

const eventsQueryOf = (part: keyof typeof eventHealthFilters) =>
  listTransactions.query.parse(eventHealthFilters[part])

/** Narrows a list to the rows of a reason, if one is asked for. */
async function ofReason(tenant: Tenant, kind: CrmKind, key: string | undefined) {
  return key === undefined ? {} : { ofRecords: await findRefusedFor(tenant, kind, key) }
}

/** Why HubSpot refused each of these rows, and when it was asked last. */
async function readRefusals(tenant: Tenant, kind: CrmKind, rows: readonly { id: string }[]) {
  const ids = rows.map(({ id }) => id)
  const reasons = await findRefusals(tenant, kind, ids)
  const tries = await findLastTries(tenant, kind, ids)
  return ({ id }: { id: string }) => ({
    reason: reasons.get(id) ?? null,
    triedAt: tries.get(id)?.toISOString() ?? null,
  })
}
