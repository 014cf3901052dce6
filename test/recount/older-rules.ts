import { run as query } from '../database.ts'
import { recountLists } from '../store/kept-totals.ts'

/** What was changed to imitate older rules, and the customers concerned. */
export type Tampered = { dearer: string; lost: string; invented: string; silent: string; customers: string[] }

/**
 * Changes a ledger to imitate older rules: one subscription was worth 5.00 less from its first event, one event is
 * missing, one is invented, one receipt has other words, and no receipt names a version.
 */
export async function countByOlderRules(ownerUrl: string, organizationId: number): Promise<Tampered> {
  const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    query<Row>(ownerUrl, text, [organizationId, ...values])
  const living = await sql<{ id: string; customer_id: string }>(
    `select s.id, s.customer_id from subscriptions s
      where organization_id = $1 and current_mrr_cents > 1000 and currency = 'usd'
        and (select count(*) from events e where e.organization_id = $1 and e.customer_id = s.customer_id) between 1 and 3
        and (select count(*) from subscriptions o where o.organization_id = $1 and o.customer_id = s.customer_id) = 1
      order by id limit 4`,
  )
  const [dearer, lost, invented, silent] = living
  if (!dearer || !lost || !invented || !silent) throw new Error('the account has too few subscriptions')
  await sql(
    `update events set current_mrr_cents = current_mrr_cents - 500,
            previous_mrr_cents = greatest(previous_mrr_cents - 500, 0),
            mrr_change_cents = current_mrr_cents - 500 - greatest(previous_mrr_cents - 500, 0)
      where organization_id = $1 and subscription_id = $2 and current_mrr_cents >= 500`,
    [dearer.id],
  )
  await sql(
    'update subscriptions set current_mrr_cents = current_mrr_cents - 500 where organization_id = $1 and id = $2',
    [dearer.id],
  )
  await sql('delete from events where organization_id = $1 and subscription_id = $2', [lost.id])
  await sql(
    `insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status, change_type,
                         previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity, currency)
     select organization_id, 'evt_invented', subscription_id, customer_id, occurred_at + interval '1 day', 99, 'Upgrade',
            'price_change', current_mrr_cents, current_mrr_cents, 0, 1, 1, currency
       from events where organization_id = $1 and subscription_id = $2 order by occurred_at desc limit 1`,
    [invented.id],
  )
  await sql(
    `update events set receipt = (receipt::jsonb || '{"rules": ["R1"]}')::json
      where organization_id = $1 and subscription_id = $2`,
    [silent.id],
  )
  for (const table of ['events', 'subscriptions'])
    await sql(
      `update ${table} set receipt = (receipt::jsonb - 'ruleBookVersion' - 'policyRevision' || '{"policyVersion": "1"}')::json
        where organization_id = $1 and receipt is not null`,
    )
  await sql('update payment_mirrors set rule_book_version = 0 where organization_id = $1')
  await recountLists(ownerUrl, organizationId)
  return {
    ...{ dearer: dearer.id, lost: lost.id, invented: invented.id, silent: silent.id },
    customers: [dearer, lost, invented].map((one) => one.customer_id).sort(),
  }
}
