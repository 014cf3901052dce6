import { asOwner } from '#server/store/installation/as-owner.ts'

/**
 * An organization with a given number of subscriptions, one per customer, and a given number of events spread over them.
 */
export async function fillAccount(
  ownerUrl: string,
  size: { subscriptions: number; events: number },
): Promise<{ organizationId: number; userId: number }> {
  return await asOwner(ownerUrl, 'bench', async (client) => {
    const insert = async (text: string) => Number((await client.query<{ id: number }>(text)).rows[0]?.id)
    const organizationId = await insert(
      `insert into "organization" (name, slug, "createdAt") values ('Bench', 'bench', now()) returning id`,
    )
    const userId = await insert(
      `insert into "user" (name, email, "emailVerified") values ('Pat', 'pat@bench.example', true) returning id`,
    )
    const each = `from generate_series(1, ${size.subscriptions}) as n`
    await client.query(`
      insert into connections (organization_id, provider, account_id, is_live, sealed_secret)
      values (${organizationId}, 'payments', 'acct_1', false, 'sealed');
      insert into customers (organization_id, id, name, email, created_at)
      select ${organizationId}, 'cus_' || n, 'Company ' || n, 'owner@c' || n || '.example', now() ${each};
      insert into subscriptions (organization_id, id, customer_id, status, body, created_at, current_mrr_cents,
                                 currency, quantity, product_name)
      select ${organizationId}, 'sub_' || n, 'cus_' || n, 'active', '{}', now(), 1000 + n, 'usd', 1, 'Harbour Pro' ${each};
      insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status,
                          change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity,
                          current_quantity, currency)
      select ${organizationId}, 'ev_' || n, 'sub_' || 1 + n % ${size.subscriptions},
             'cus_' || 1 + n % ${size.subscriptions}, now(), n / ${size.subscriptions}, 'New', 'new_subscription',
             0, 1000 + n, 1000 + n, 0, 1, 'usd'
        from generate_series(1, ${size.events}) as n;`)
    return { organizationId, userId }
  })
}
