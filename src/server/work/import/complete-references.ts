import type { Instant } from '#domain/instant.ts'
import type { PaymentPrice } from '#domain/payments.ts'
import { listMissingCatalogIds, listMissingPriceIds, savePrices } from '../../store/catalog.ts'
import { addDeletedCustomers, listMissingCustomerIds, nameDeletedCustomers } from '../../store/customers.ts'
import { inOrganization } from '../../store/database.ts'
import { listOutrunSubscriptionIds } from '../../store/subscriptions.ts'
import { emailHost } from '../email-domain.ts'
import { type ImportContext, write } from './import-context.ts'
import { saveFetchedObjects } from './save-objects.ts'

/** Ids found in one look at what is kept, and objects fetched before they are saved together. */
const foundMax = 1_000
const batchMax = 50

/** Fetches prices that stand in no list: those made inline, and tiered ones that were only embedded. */
export async function completePrices(context: ImportContext): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await inOrganization(context.deps.database, context.claim.organizationId, (tenant) =>
      listMissingPriceIds(tenant, { after, limit: foundMax }),
    )
    if (ids.length === 0) return
    for (let at = 0; at < ids.length; at += batchMax) {
      const batch = ids.slice(at, at + batchMax)
      const fetched = await Promise.all(batch.map((id) => context.reader.fetchObject('prices', id)))
      // One that is gone for good is asked for again only when somebody who has it changes.
      const prices = fetched.filter((price): price is PaymentPrice => price !== undefined)
      await write(context, (tenant) => savePrices(tenant, prices))
    }
    after = ids.at(-1) ?? after
  }
}

/** Fetches products, and coupons that were given since then, which came to be after their list was read. */
export async function completeCatalog(context: ImportContext, since: Instant): Promise<void> {
  const missing = await inOrganization(context.deps.database, context.claim.organizationId, (tenant) =>
    listMissingCatalogIds(tenant, since),
  )
  for (const kind of ['products', 'coupons'] as const)
    for (let at = 0; at < missing[kind].length; at += batchMax) {
      const batch = missing[kind].slice(at, at + batchMax)
      const fetched = await Promise.all(batch.map((id) => context.reader.fetchObject(kind, id)))
      const found = fetched.filter((one) => one !== undefined)
      const now = context.deps.now()
      await write(context, (tenant) => saveFetchedObjects(tenant, kind, found, { at: now, askedAt: now }))
    }
}

/**
 * Customers that subscriptions name and no list holds. Those that were subscribed at `since` or later are asked for, since
 * they may just have been made; whoever is not there, or was to be listed before, is a deleted one.
 */
export async function completeCustomers(context: ImportContext, since: Instant): Promise<void> {
  for (let after = ''; ; ) {
    const ids: string[] = await inOrganization(
      context.deps.database,
      context.claim.organizationId,
      (tenant) => listMissingCustomerIds(tenant, { since, after, limit: batchMax }),
    )
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    const fetched = await Promise.all(ids.map((id) => context.reader.fetchObject('customers', id)))
    const customers = fetched.filter((customer) => customer !== undefined)
    const at = context.deps.now()
    await write(context, (tenant) => saveFetchedObjects(tenant, 'customers', customers, { at, askedAt: at }))
  }
  await write(context, async (tenant) => {
    await addDeletedCustomers(tenant)
    await nameDeletedCustomers(tenant, emailHost)
  })
}

/**
 * Asks again for subscriptions that an invoice has outrun while the lists were being read: held against that invoice, the
 * older object would look like a change back.
 */
export async function completeSubscriptions(context: ImportContext): Promise<void> {
  for (let after = ''; ; ) {
    const ids: string[] = await inOrganization(
      context.deps.database,
      context.claim.organizationId,
      (tenant) => listOutrunSubscriptionIds(tenant, { after, limit: batchMax }),
    )
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    const askedAt = context.deps.now()
    const fetched = await Promise.all(ids.map((id) => context.reader.fetchObject('subscriptions', id)))
    const subscriptions = fetched.filter((subscription) => subscription !== undefined)
    const times = { at: context.deps.now(), askedAt }
    await write(context, (tenant) => saveFetchedObjects(tenant, 'subscriptions', subscriptions, times))
  }
}
