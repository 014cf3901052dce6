/**
 * The statements that report rows, written past the product's writers, in one currency and without rates, as a rebuild
 * would: amounts in that currency are their own, others are null.
 */
export function reportingStatements(organizationId: number, currency = 'usd'): string {
  const own = (column: string) => `case when currency = '${currency}' or ${column} = 0 then ${column} end`
  return `
    insert into organization_settings (organization_id, reporting_currency, is_reporting_decided)
    values (${organizationId}, '${currency}', true)
    on conflict (organization_id) do update set reporting_currency = '${currency}', is_reporting_decided = true;
    update events set reporting_change_cents = ${own('mrr_change_cents')} where organization_id = ${organizationId};
    update subscriptions set reporting_mrr_cents = ${own('current_mrr_cents')} where organization_id = ${organizationId};
    update customers set reporting_mrr_cents = coalesce((mrr_by_currency ->> '${currency}')::bigint, 0),
                         unconverted_by_currency = mrr_by_currency - '${currency}'
     where organization_id = ${organizationId};
    update snapshots set
      reporting_cents = case when currency = '${currency}' then mrr_cents else 0 end,
      unconverted_cents = case when currency = '${currency}' then 0 else mrr_cents end,
      unconverted_subscriptions = case when currency = '${currency}' then 0 else active_subscriptions end
     where organization_id = ${organizationId};`
}

/** The amount in dollars, the reporting currency of rows that tests write; null where it is in another currency. */
export function inDollars(cents: number, currency = 'usd'): number | null {
  return currency === 'usd' || cents === 0 ? cents : null
}
