import { decimalOfCents } from '#domain/currency.ts'
import { run as query } from './database.ts'
import type { TestWorld } from './harness.ts'

/** Each subscription's MRR, by its id. */
export type Figures = Record<string, number>

/** What the ledger and a portal of the simulated HubSpot say about an organization's subscriptions. */
export async function figuresOf(
  { ownerUrl, hubspot }: Pick<TestWorld, 'ownerUrl' | 'hubspot'>,
  organizationId: number,
  portal: number,
): Promise<{ ledger: Figures; crm: Figures }> {
  const rows = await query<{ id: string; cents: string; currency: string }>(
    ownerUrl,
    `select id, current_mrr_cents as cents, currency from subscriptions
      where organization_id = $1 and quantity is not null`,
    [organizationId],
  )
  const view = hubspot.portal(portal)
  const type = view.schemas().find(({ name }) => name === 'tributary_subscription')?.typeId ?? ''
  const records = view.records(type).map(({ properties }) => properties)
  return {
    ledger: figures(rows.map(({ id, cents, currency }) => [id, decimalOfCents(Number(cents), currency)])),
    crm: figures(records.map((one) => [one['stripe_subscription_id'], one['mrr']])),
  }
}

/** As numbers, since the CRM drops trailing zeros. */
function figures(pairs: [id: unknown, mrr: unknown][]): Figures {
  return Object.fromEntries(pairs.map(([id, mrr]) => [String(id), Number(mrr)] as const))
}
