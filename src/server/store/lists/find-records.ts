import { type RawBuilder, sql } from 'kysely'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { customersBeginning, customersCalled } from './customer-texts.ts'
import { collectedMax, customerContains } from './find-text.ts'

/** What a search found, with the customer to which it belongs. */
export type FoundRecord = {
  kind: 'customer' | 'subscription' | 'invoice'
  id: string
  /** The id itself, the number of the invoice, or that of the record in the CRM, is the whole text. */
  isId: boolean
  companyName: string | null
  customerName: string | null
  email: string | null
  customerId: string
  subscriptionId: string | null
  productName: string | null
  status: string | null
}

/** This many of each kind. */
const eachMax = 6
/** This many of the customers with the most MRR are looked through for a text that more contain than are collected. */
const largestMax = 1_000
/** This many subscriptions of one customer are compared. */
const comparedMax = 50

/**
 * A few records by the start of an id or invoice number, an event's id, a CRM record's number, or a customer's text. Every
 * part is read along an index or the packed texts, and stops at its limit.
 */
export async function findRecords(tenant: Tenant, text: string): Promise<FoundRecord[]> {
  await readAlongIndexes(tenant)
  const { organizationId } = tenant
  const ofTenant = (alias: string) => sql`${sql.ref(`${alias}.organization_id`)} = ${organizationId}`
  const beginning = (table: 'customers' | 'subscriptions' | 'invoices') => sql`
    select t.id, t.id = ${text} as is_id from ${sql.table(table)} t
     where ${ofTenant('t')} and t.id ^@ ${text} order by t.id limit ${eachMax}`
  // Stripe writes the numbers of invoices in capitals.
  const number = text.toUpperCase()
  const { rows } = await sql<FoundRecord>`
    with named as materialized (
      (${customersBeginning(tenant, text, collectedMax)})
      union (${customersCalled(tenant, text, customerContains(text), collectedMax)})
      union (select c.id from (select c.id, c.search_text from customers c where ${ofTenant('c')}
                                order by c.reporting_mrr_cents desc, c.id limit ${largestMax}) c
              where ${customerContains(text)})),
    called as materialized (
      select c.id, c.rank from named
       cross join lateral (select c.id, c.reporting_mrr_cents as mrr, ${nameRank(text)} as rank from customers c
                            where ${ofTenant('c')} and c.id = named.id offset 0) c
       order by c.rank, c.mrr desc, c.id limit ${eachMax}),
    customers_found as (
      (${beginning('customers')})
      union (select m.customer_id, true from matches m
              where ${ofTenant('m')} and m.company_record_id = ${text} and m.portal_id = ${currentPortal(tenant)}
              limit ${eachMax})
      union select id, false from called),
    subscriptions_found as (
      (${beginning('subscriptions')})
      union (select case when l.kind = 'subscription' then l.source_id
                         else (select e.subscription_id from events e where ${ofTenant('e')} and e.id = l.source_id) end, true
               from crm_links l
              where ${ofTenant('l')} and l.portal_id = ${currentPortal(tenant)}
                and l.kind in ('subscription', 'event') and l.record_id = ${text} limit ${eachMax})
      union (select e.subscription_id, true from events e where ${ofTenant('e')} and e.id = ${text})
      union (select s.id, false from called
              cross join lateral (select s.id, coalesce(s.reporting_mrr_cents, 0) as mrr from subscriptions s
                                   where ${ofTenant('s')} and s.customer_id = called.id limit ${comparedMax}) s
              order by called.rank, s.mrr desc, s.id limit ${eachMax})),
    found as (
      select 'customer' as kind, f.id, bool_or(f.is_id) as is_id, f.id as customer_id, null::text as subscription_id,
             null::text as product_name, null::text as status, null::bigint as mrr
        from customers_found f group by f.id
      union all
      select 'subscription', s.id, bool_or(f.is_id), s.customer_id, s.id, s.product_name, s.status,
             coalesce(s.reporting_mrr_cents, 0)
        from subscriptions_found f join subscriptions s on ${ofTenant('s')} and s.id = f.id
       group by s.id, s.customer_id, s.product_name, s.status, s.reporting_mrr_cents
      union all
      select 'invoice', i.id, f.is_id, i.customer_id, i.subscription_id, i.number, i.status, null
        from ((${beginning('invoices')})
              union (select n.id, n.number = ${number} from invoices n
                      where ${ofTenant('n')} and n.number ^@ ${number} order by n.number limit ${eachMax})) f
        join invoices i on ${ofTenant('i')} and i.id = f.id
       where i.customer_id is not null)
    select f.kind, f.id, f.is_id as "isId", f.customer_id as "customerId", f.subscription_id as "subscriptionId",
           f.product_name as "productName", f.status, c.company_name as "companyName", c.name as "customerName", c.email
      from found f join customers c on ${ofTenant('c')} and c.id = f.customer_id
     order by f.is_id desc, f.kind, ${nameRank(text)}, coalesce(f.mrr, c.reporting_mrr_cents) desc, f.id limit ${3 * eachMax}`.execute(
    tenant.sql,
  )
  return rows
}

/** Signs after which a word of a name begins. */
const wordBreaks = '-/(&+"'

/**
 * 0 where the name or company of the customer `c` begins with the text, 1 where a word of them does, and 2 where the text
 * is within a word, or in an address.
 */
function nameRank(text: string): RawBuilder<number> {
  const names = sql`folded(concat_ws(' ', coalesce(nullif(c.name, ''), c.email), c.company_name))`
  const words = sql`' ' || translate(${names}, ${wordBreaks}, ${' '.repeat(wordBreaks.length)})`
  return sql<number>`case when ${names} ^@ folded(${text}) or folded(c.company_name) ^@ folded(${text}) then 0
                          when strpos(${words}, ' ' || folded(${text})) > 0 then 1 else 2 end`
}
