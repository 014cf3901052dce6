import { getSubscription, listSubscriptions as listSubscriptionsCall } from '#contract/subscriptions.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { findSubscription, listSubscriptions } from '../../store/lists/subscription-list.ts'
import { findFreshness } from '../../store/runs/freshness.ts'
import { toRecordFreshness } from '../freshness.ts'
import { readLinks } from '../links.ts'
import { toSubscription } from '../subscription.ts'
import { readRecord } from './record.ts'
import { subscriptionQueryOf } from './subscription-query.ts'

export function serveSubscriptions(router: Router): void {
  serve(router, listSubscriptionsCall, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { subscriptions, ...counted } = await listSubscriptions(
        tenant,
        await subscriptionQueryOf(tenant, query, deps.now()),
      )
      const links = await readLinks(deps, tenant)
      return { ...counted, subscriptions: subscriptions.map((row) => toSubscription(row, links)) }
    }),
  )

  serve(router, getSubscription, ({ deps, inOrganization }, { params }) =>
    inOrganization(async (tenant) => {
      const row = await findSubscription(tenant, params.id)
      if (row === undefined) throw new Refusal('not_found', 'The requested subscription could not be found.')
      const known = await findFreshness(tenant, params.id)
      const freshness = await toRecordFreshness(tenant, known, deps.now())
      const links = await readLinks(deps, tenant)
      const record = await readRecord(tenant, deps, links, params.id)
      return { ...toSubscription(row, links), freshness, record }
    }),
  )
}
