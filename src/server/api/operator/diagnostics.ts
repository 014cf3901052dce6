import {
  getOperatorSubscriptionData,
  getSubscriptionSample,
  getTestSubscriptionData,
  getTransactionSample,
} from '#contract/diagnostics.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { listMemberships } from '../../store/accounts/organizations.ts'
import { findPerson } from '../../store/accounts/users.ts'
import { findEventSample, findSubscriptionSample } from '../../store/crm/crm-records.ts'
import { listEventData, listSubscriptionData } from '../../store/lists/subscription-data.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { countRecords } from '../../store/setup/setup-facts.ts'
import { serveAssociations } from './associations.ts'
import { synthesizeSubscriptionData } from './synthetic-data.ts'

export function serveDiagnostics(router: Router): void {
  serveAssociations(router)

  serve(router, getTransactionSample, (context) =>
    context.inOrganization(async (tenant) => {
      const sample = await findEventSample(tenant)
      return {
        success: sample !== undefined,
        transactionId: sample?.sourceId ?? null,
        hubspotObjectId: sample?.recordId ?? null,
      }
    }),
  )

  serve(router, getSubscriptionSample, (context) =>
    context.inOrganization(async (tenant) => {
      const sample = await findSubscriptionSample(tenant)
      return {
        success: sample !== undefined,
        subscriptionId: sample?.sourceId ?? null,
        hubspotObjectId: sample?.recordId ?? null,
      }
    }),
  )

  serve(router, getTestSubscriptionData, (_, { params }) => synthesizeSubscriptionData(params.n))

  serve(router, getOperatorSubscriptionData, async ({ deps, actor }, { params }) => {
    const [membership] = await listMemberships(deps.database, params.n)
    const person = await findPerson(deps.database, params.n)
    if (membership === undefined || person === undefined)
      throw new Refusal(
        'not_found',
        'There is no user with this ID, or that user has no organization. Choose another user.',
      )
    return inOrganization(deps.database, membership.id, async (tenant) => {
      await recordAudit(tenant, actor, { action: 'operator_read', subject: 'Subscription data' })
      const rows = await readSubscriptionData(tenant)
      return { ...rows, organizationName: membership.name, userName: person.name, userEmail: person.email }
    })
  })
}

async function readSubscriptionData(tenant: Tenant): Promise<ResponseOf<typeof getTestSubscriptionData>> {
  const counts = await countRecords(tenant)
  const subscriptions = await listSubscriptionData(tenant)
  const events = await listEventData(tenant)
  return {
    subscriptions: subscriptions.map((row) => ({
      id: row.id,
      subscriptionId: row.id,
      companyName: row.companyName,
      productName: row.productName,
      status: row.status,
      currentMrr: row.currentMrrCents,
      currency: row.currency,
      createdAt: row.createdAt.toISOString(),
      lastSyncedAt: row.lastSyncedAt?.toISOString() ?? null,
    })),
    subscriptionsCount: counts.subscriptions,
    transactions: events.map((row) => ({
      id: row.id,
      transactionId: row.id,
      companyName: row.companyName,
      relatedSubscriptionId: row.subscriptionId,
      mrrChange: row.mrrChangeCents,
      currency: row.currency,
      changeType: row.changeType,
      transactionDate: row.occurredAt.toISOString(),
      hubspotObjectId: row.recordId,
    })),
    transactionsCount: counts.events,
  }
}
