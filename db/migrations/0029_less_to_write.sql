-- Invoices are most of what an import writes. By their place the values of a line take less than half of what they take by
-- name (src/server/store/invoice-lines.ts).
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    update invoices set lines = (
      select coalesce(json_agg(case rest when '{}' then by_place else by_place || rest end order by number), '[]')
        from json_array_elements(lines) with ordinality as given (named, number)
       cross join lateral (select named::jsonb as line) as as_jsonb
       cross join lateral (
         select jsonb_build_array(
                  line -> 'id', line -> 'subscriptionId', line -> 'subscriptionItemId', line -> 'priceId',
                  line -> 'productId', line -> 'amountCents', line -> 'quantity', line -> 'unitAmountDecimal',
                  line -> 'periodStart', line -> 'periodEnd', line -> 'isProration', line -> 'isDiscountable',
                  line -> 'isSubscriptionItem', line -> 'description') as by_place,
                line - '{id, subscriptionId, subscriptionItemId, priceId, productId, amountCents, quantity,
                         unitAmountDecimal, periodStart, periodEnd, isProration, isDiscountable, isSubscriptionItem,
                         description}'::text[]
                     - case when line @> '{"discountCents": 0, "inclusiveTaxCents": 0}' and line -> 'discounts' = '[]'
                            then '{discountCents, discounts, inclusiveTaxCents}'::text[] else '{}' end as rest) as parts)
     where organization_id = known;
  end loop;
end
$$;

-- Receipts are written once and read whole, as lines are.
alter table events alter receipt type json using receipt::json;
alter table subscriptions alter receipt type json using receipt::json;
alter table events alter receipt set statistics 0;
alter table subscriptions alter receipt set statistics 0;
