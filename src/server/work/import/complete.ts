import type { Instant } from '#domain/instant.ts'
import { emailHost } from '../../email-address.ts'
import type { ChangedKind } from '../../providers/payments.ts'
import { eraseLateTexts } from '../../store/erasure/erase-rows.ts'
import { reopenCustomersWithOlderObjects } from '../../store/ledger/reopen-customers.ts'
import {
  listMissingCouponIds,
  listMissingPriceIds,
  listMissingProductIds,
} from '../../store/payments/catalog.ts'
import {
  addDeletedCustomers,
  listMissingCustomerIds,
  nameDeletedCustomers,
} from '../../store/payments/customers.ts'
import { attachInvoices } from '../../store/payments/invoices.ts'
import { deleteObservations } from '../../store/payments/observations.ts'
import { listOutrunSubscriptionIds, markReadAfterInvoices } from '../../store/payments/subscriptions.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { countRunErrors } from '../../store/runs/run-lines.ts'
import { nameErasedCustomers } from '../erasure/leave-erased-out.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { together } from '../runs/task-group.ts'
import type { Checkpoint } from './checkpoint.ts'
import { fetchBatch } from './fetch-objects.ts'
import { saveFetchedObjects } from './save-objects.ts'

/**
 * `foundMax` limits the ids of one query; `batchMax` limits the objects that we fetch before we save them
 * together.
 */
const foundMax = 1_000
const batchMax = 50

type ListIds = (tenant: Tenant, page: { after: string; limit: number }) => Promise<string[]>

/**
 * Fetches objects by the ids that `list` finds, in order. It skips deleted objects and counts an error for
 * each object the provider refuses. `onSaved` receives the requested ids in the transaction that saves them.
 */
async function fetchListed(
  context: ImportContext,
  kind: ChangedKind,
  list: ListIds,
  onSaved?: (tenant: Tenant, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const { deps, claim, askedAfter } = context
  for (let after = ''; ; ) {
    const page = { after, limit: foundMax }
    const ids = await inOrganization(deps.database, claim.organizationId, (tenant) => list(tenant, page))
    for (let at = 0; at < ids.length; at += batchMax) {
      const batch = ids.slice(at, at + batchMax)
      const { items, refused, askedAt } = await fetchBatch(context, kind, batch)
      const now = deps.now()
      await write(context, async (tenant) => {
        await saveFetchedObjects(tenant, kind, items, { at: now, askedAt, askedAfter, seal: deps.seal })
        await onSaved?.(tenant, batch)
        await countRunErrors(tenant, claim.runId, refused, now)
      })
    }
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

/**
 * Phase 3: fetches subscriptions again if an invoice is newer, else the older copy looks like a change back. Then
 * fetches what no list contained: inline and tiered prices, products, coupons that are new, and customers.
 */
export async function complete(context: ImportContext, { plan, newSince }: Checkpoint): Promise<void> {
  const isFirst = plan.mode === 'first'
  // No rebuild is running here. Observations made without these invoices are wrong, so we delete them.
  await write(context, async (tenant) => {
    const attached = await attachInvoices(tenant)
    await eraseLateTexts(tenant)
    if (isFirst) await deleteObservations(tenant, attached)
    if (isFirst) await reopenCustomersWithOlderObjects(tenant)
  })
  await fetchListed(context, 'subscriptions', listOutrunSubscriptionIds, markReadAfterInvoices)
  await together(context, [
    async (own) => {
      await fetchListed(own, 'prices', listMissingPriceIds)
      await fetchListed(own, 'products', listMissingProductIds)
    },
    (own) =>
      fetchListed(own, 'coupons', (tenant, page) =>
        listMissingCouponIds(tenant, { since: newSince, ...page }),
      ),
    async (own) => {
      await completeCustomers(own, plan.isFull ? newSince : 0)
      await write(own, (tenant) => nameDeletedCustomers(tenant, emailHost))
    },
  ])
}

/**
 * Completes customers that subscriptions name but no list contained. Customers subscribed at `since` or later
 * may be new, so we fetch them; all others are deleted customers. Call this after both lists are complete.
 */
export async function completeCustomers(context: ImportContext, since: Instant): Promise<void> {
  await fetchListed(context, 'customers', (tenant, page) =>
    listMissingCustomerIds(tenant, { since, ...page }),
  )
  await write(context, async (tenant) => {
    await addDeletedCustomers(tenant)
    await nameErasedCustomers(context.deps.seal, tenant)
  })
}
