import type { Instant } from '#domain/instant.ts'
import { emailHost } from '../../email-address.ts'
import type { ChangedKind } from '../../providers/payments.ts'
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
import { listOutrunSubscriptionIds, markReadAfterInvoices } from '../../store/payments/subscriptions.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { countRunErrors } from '../../store/runs/runs.ts'
import { nameErasedCustomers } from '../erasure/leave-erased-out.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { beside } from '../runs/task-group.ts'
import { fetchBatch } from './import-changed.ts'
import { saveFetchedObjects } from './save-objects.ts'

/** Ids found in one look at what is kept, and objects fetched before they are saved together. */
const foundMax = 1_000
const batchMax = 50

type ListIds = (tenant: Tenant, page: { after: string; limit: number }) => Promise<string[]>

/**
 * Fetches objects by the ids that `list` finds in what is kept, in their order. What is not there any more is left out, and
 * what the provider refuses to give is counted as an error. `onSaved` is told, in the transaction, which were asked for.
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
 * Asks again for subscriptions that an invoice has outrun while the lists were being read: held against that invoice, the
 * older object would look like a change back. Then fetches what subscriptions and invoices name and no list held: prices that
 * were made inline, and tiered ones that were only embedded; products, and coupons given at `since` or later, that came to be
 * after their list was read; and customers (`completeCustomers`), unless these are complete.
 */
export async function completeReferences(
  context: ImportContext,
  { since, customersSince }: { since: Instant; customersSince: Instant | null },
): Promise<void> {
  await fetchListed(context, 'subscriptions', listOutrunSubscriptionIds, markReadAfterInvoices)
  await beside(context, [
    (own) => fetchListed(own, 'prices', listMissingPriceIds),
    (own) => fetchListed(own, 'products', listMissingProductIds),
    (own) => fetchListed(own, 'coupons', (tenant, page) => listMissingCouponIds(tenant, { since, ...page })),
    async (own) => {
      if (customersSince !== null) await completeCustomers(own, customersSince)
      await write(own, (tenant) => nameDeletedCustomers(tenant, emailHost))
    },
  ])
}

/**
 * Customers that subscriptions name and no list holds. Those that were subscribed at `since` or later are asked for, since
 * they may just have been made; whoever is not there, or was to be listed before, is a deleted one. For when the lists of
 * both are in.
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
