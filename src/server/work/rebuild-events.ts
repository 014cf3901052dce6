import type { Instant } from '#domain/instant.ts'
import type { MrrPolicy } from '#domain/mrr/policy.ts'
import { inOrganization } from '../store/database.ts'
import { replaceEvents } from '../store/events.ts'
import { getMrrPolicy, holdMrrPolicy } from '../store/mrr-policy.ts'
import { listCustomersDue, loadCatalog, loadCustomerObjects } from '../store/rebuild-evidence.ts'
import { saveSightings } from '../store/sightings.ts'
import {
  markPastDueRebuildDue,
  markWithoutCustomer,
  saveSubscriptionFigures,
} from '../store/subscriptions.ts'
import { type ImportContext, write } from './import/import-context.ts'
import { type RebuiltCustomer, rebuildOne } from './rebuild/rebuild-one.ts'

/** Customers whose objects are in memory at a time. */
const batchMax = 200

/**
 * Rebuilds the ledger of every customer that is due, in a stream: the next batch is read while one is being written.
 * `asOf` is now; nothing after it is taken to have happened. Only what changed is written, and a customer's mark goes with its rows, so that a crash repeats one batch at most.
 */
export async function rebuildEvents(context: ImportContext, asOf: Instant): Promise<void> {
  await write(context, async (tenant) => {
    await markWithoutCustomer(tenant)
    const { pastDueChurnAfterDays } = await getMrrPolicy(tenant)
    if (pastDueChurnAfterDays !== null) await markPastDueRebuildDue(tenant)
  })
  let loading = loadBatch(context, '', asOf)
  for (;;) {
    const batch = await loading
    const last = batch.ids.at(-1)
    if (last === undefined) return
    loading = loadBatch(context, last, asOf)
    // A failure of the read counts when its turn comes, not while the write before is under way.
    loading.catch(() => {})
    if (await saveBatch(context, batch)) continue
    // Everybody is due again under the new policy, those before this batch too.
    await loading.catch(() => {})
    loading = loadBatch(context, '', asOf)
  }
}

/**
 * Sets the figures of subscriptions by what they themselves state, while their invoices are still being read: on a first
 * import the current MRR stands long before its history does. The ledger is not touched.
 */
export async function previewFigures(context: ImportContext, asOf: Instant): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch = await loadBatch(context, after, asOf, false)
    const figures = batch.rebuilt.flatMap((customer) => customer.figures)
    await write(context, (tenant) => saveSubscriptionFigures(tenant, figures, context.deps.now()))
    after = batch.ids.at(-1)
  }
}

type Batch = { ids: string[]; rebuilt: RebuiltCustomer[]; policy: MrrPolicy }

async function loadBatch(
  context: ImportContext,
  after: string,
  asOf: Instant,
  withInvoices = true,
): Promise<Batch> {
  const { database } = context.deps
  const { ids, customers, catalog, policy } = await inOrganization(
    database,
    context.claim.organizationId,
    async (tenant) => {
      const policy = await getMrrPolicy(tenant)
      const ids = await listCustomersDue(tenant, { after, limit: batchMax })
      const customers = await loadCustomerObjects(tenant, ids, { withInvoices })
      return { ids, customers, catalog: await loadCatalog(tenant, customers), policy }
    },
  )
  return { ids, policy, rebuilt: customers.map((customer) => rebuildOne(customer, catalog, policy, asOf)) }
}

/** Writes a batch and clears its marks; false, and nothing written, when the policy is another by now. */
async function saveBatch(context: ImportContext, { ids, rebuilt, policy }: Batch): Promise<boolean> {
  const at = context.deps.now()
  return write(context, async (tenant) => {
    if ((await holdMrrPolicy(tenant)).version !== policy.version) return false
    await replaceEvents(
      tenant,
      ids,
      rebuilt.flatMap((customer) => customer.events),
      at,
    )
    await saveSubscriptionFigures(
      tenant,
      rebuilt.flatMap((customer) => customer.figures),
      at,
    )
    await saveSightings(
      tenant,
      rebuilt.flatMap((customer) => customer.newSightings),
    )
    return true
  })
}
