import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** A customer with their new identity. */
export type ErasedCustomer = { id: string; erasureId: string; pseudonym: string }

/** The stored words that identify a person. */
export type PersonWords = { names: string[]; emails: string[] }

/**
 * The customer and others with the same email address, because they are one person, locked until the transaction ends.
 * `erasureId` is null for one that is not erased yet. Empty if there is no such customer.
 */
export async function lockPerson(
  tenant: Tenant,
  customerId: string,
): Promise<{ id: string; erasureId: string | null }[]> {
  const { rows } = await sql<{ id: string; erasureId: string | null }>`
    select c.id, c.erasure_id as "erasureId" from customers c
      join customers asked on asked.organization_id = c.organization_id and asked.id = ${customerId}
     where c.organization_id = ${tenant.organizationId}
       and (c.id = asked.id or (c.erasure_id is null and lower(c.email) = lower(asked.email)))
     order by c.id for update of c`.execute(tenant.sql)
  return rows
}

/** Whom an erasure of a customer takes: who it is, and how many others, counted up to a number. */
export type PersonAsked = { customerName: string | null; customerEmail: string | null; otherCount: number }

/** The same people as `lockPerson`, for a question: locks nothing. It compares every customer of the organization. */
export async function findPersonAsked(
  tenant: Tenant,
  customerId: string,
  countedMax: number,
): Promise<PersonAsked | undefined> {
  const { rows } = await sql<PersonAsked>`
    select asked.name as "customerName", asked.email as "customerEmail",
           (select count(*)::int
              from (select from customers c
                     where c.organization_id = asked.organization_id and c.id <> asked.id
                       and c.erasure_id is null and lower(c.email) = lower(asked.email)
                     limit ${countedMax}) others) as "otherCount"
      from customers asked
     where asked.organization_id = ${tenant.organizationId} and asked.id = ${customerId}`.execute(tenant.sql)
  return rows[0]
}

/** Every stored name and address of these customers, including earlier ones. */
export async function readPerson(tenant: Tenant, ids: readonly string[]): Promise<PersonWords> {
  const ofThese = sql`organization_id = ${tenant.organizationId} and customer_id = any(${ids}::text[])`
  const { rows } = await sql<{ name: string | null; email: string | null }>`
    select name, email from customers where organization_id = ${tenant.organizationId} and id = any(${ids}::text[])
    union select customer_name, customer_email from invoices where ${ofThese}
    union select null, contact_problem_email from matches where ${ofThese}
    union select null, contact_for from matches where ${ofThese}
    union
    select split_part(line, chr(10), 1), split_part(line, chr(10), 2)
      from customer_texts t, unnest(t.ids, string_to_array(t.texts, chr(30))) as each (id, line)
     where t.organization_id = ${tenant.organizationId} and t.ids && ${ids}::text[]
       and each.id = any(${ids}::text[])`.execute(tenant.sql)
  const some = (values: (string | null)[]) => [
    ...new Set(values.flatMap((value) => (value === null || value.trim() === '' ? [] : value.trim()))),
  ]
  return { names: some(rows.map(({ name }) => name)), emails: some(rows.map(({ email }) => email)) }
}

/** The texts among these, in lower case, that another customer has too. */
export async function listSharedWords(
  tenant: Tenant,
  ids: readonly string[],
  kind: 'name' | 'email' | 'domain',
  words: readonly string[],
): Promise<Set<string>> {
  const column = sql.ref(kind)
  const { rows } = await sql<{ word: string }>`
    select distinct lower(${column}) as word from customers
     where organization_id = ${tenant.organizationId} and id <> all(${ids}::text[])
       and lower(${column}) = any(${words}::text[])`.execute(tenant.sql)
  return new Set(rows.map(({ word }) => word))
}

/** Replaces the customers' names by pseudonyms and deletes everything else that identifies them. */
export async function eraseCustomers(tenant: Tenant, customers: readonly ErasedCustomer[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update customers c set name = given.pseudonym, email = null, domain = null, erasure_id = given."erasureId",
                           payment_method = ${withoutDigits(sql`c.payment_method`)}
      from jsonb_to_recordset(${JSON.stringify(customers)}::jsonb) as given (
        id text, "erasureId" text, pseudonym text)
     where c.organization_id = ${tenant.organizationId} and c.id = given.id`.execute(tenant.sql)
  return Number(numAffectedRows ?? 0n)
}

/** A payment method without the digits that identify it. */
function withoutDigits(method: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${method} ? 'last4' then ${method} || '{"last4": null}'::jsonb else ${method} end`
}

/** Deletes the texts of bills and payments of these customers. Amounts, ids and dates stay. */
export async function eraseBilling(tenant: Tenant, ids: readonly string[]) {
  const ofThese = sql`organization_id = ${tenant.organizationId} and customer_id = any(${ids}::text[])`
  const invoices = await sql`
    update invoices set customer_name = null, customer_email = null,
      lines = coalesce((select json_agg(jsonb_set(line::jsonb, '{13}', 'null') order by place)
                          from json_array_elements(lines) with ordinality as each (line, place)), '[]')
     where ${ofThese}`.execute(tenant.sql)
  const payments = await erasePaymentDigits(tenant, sql`i.customer_id = any(${ids}::text[])`)
  await sql`
    update subscriptions set body = jsonb_set(body, '{paymentMethod,last4}', 'null', false)
     where ${ofThese} and body #> '{paymentMethod,last4}' is not null`.execute(tenant.sql)
  const events = await sql`
    update events set payment_method = regexp_replace(payment_method, ' •••• .*$', ''), updated_at = current_timestamp
     where ${ofThese} and payment_method like '% •••• %'`.execute(tenant.sql)
  await sql`
    update recount_records set before = regexp_replace(before::text, ' •••• [^"]*', '', 'g')::jsonb,
                               after = regexp_replace(after::text, ' •••• [^"]*', '', 'g')::jsonb
     where ${ofThese}`.execute(tenant.sql)
  return {
    invoices: Number(invoices.numAffectedRows ?? 0n),
    payments,
    events: Number(events.numAffectedRows ?? 0n),
  }
}

async function erasePaymentDigits(tenant: Tenant, isMeant: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update invoice_payments p set payment_method = ${withoutDigits(sql`p.payment_method`)}
      from invoices i
     where p.organization_id = ${tenant.organizationId} and i.organization_id = ${tenant.organizationId}
       and i.id = p.invoice_id and ${isMeant} and p.payment_method ->> 'last4' is not null`.execute(
    tenant.sql,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Deletes the card digits of payments on erased customers' invoices, whichever of the two was saved first. */
export async function erasePaymentsOf(tenant: Tenant, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return
  await erasePaymentDigits(
    tenant,
    sql`i.id = any(${invoiceIds}::text[]) and exists (
      select from customers c where c.organization_id = i.organization_id and c.id = i.customer_id
                                and c.erasure_id is not null)`,
  )
}

/**
 * Deletes texts that erased customers have again: of invoices that were attached to them later, and of rows that were
 * being saved while the customer was erased.
 */
export async function eraseLateTexts(tenant: Tenant): Promise<void> {
  const ofCustomer = sql`organization_id = c.organization_id and customer_id = c.id`
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c
     where c.organization_id = ${tenant.organizationId} and c.erasure_id is not null
       and (exists (select from invoices i
                     where ${ofCustomer}
                       and (i.customer_name is not null or i.customer_email is not null
                            or exists (select from json_array_elements(i.lines) line where line ->> 13 is not null)))
            or exists (select from subscriptions
                        where ${ofCustomer} and body #>> '{paymentMethod,last4}' is not null))`.execute(
    tenant.sql,
  )
  if (rows.length > 0) {
    await eraseBilling(
      tenant,
      rows.map(({ id }) => id),
    )
  }
}

/** Forgets which of the customers' records runs changed. */
export async function eraseRunRecords(tenant: Tenant, ids: readonly string[]): Promise<void> {
  await sql`
    delete from run_records r using subscriptions s
     where r.organization_id = ${tenant.organizationId} and s.organization_id = ${tenant.organizationId}
       and s.customer_id = any(${ids}::text[]) and s.id = r.subscription_id`.execute(tenant.sql)
}

/** Schedules the customers' records in all portals to be written again. */
export async function rewriteRecords(tenant: Tenant, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update crm_links l set confirmed_hash = null, told = null, error = null
      from subscriptions s
     where l.organization_id = ${tenant.organizationId} and s.organization_id = ${tenant.organizationId}
       and s.customer_id = any(${ids}::text[]) and l.state <> 'removed'
       and (l.subscription_id = s.id or (l.kind = 'subscription' and l.source_id = s.id))`.execute(tenant.sql)
  return Number(numAffectedRows ?? 0n)
}
