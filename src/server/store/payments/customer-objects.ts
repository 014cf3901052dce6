import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { Observation } from '#domain/mrr/timeline/observation.ts'
import type {
  PaymentCoupon,
  PaymentDiscount,
  PaymentInvoice,
  PaymentMethodLabel,
  PaymentPrice,
  PaymentProduct,
  PaymentSubscription,
} from '#domain/payments.ts'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'
import { type KeptLine, lineOf } from './invoice-lines.ts'
import { listObservations } from './observations.ts'

/** What the rebuild of one customer reads. */
export type CustomerObjects = {
  id: string
  paymentMethod: PaymentMethodLabel | null
  /** For subscriptions that have no discount of their own. */
  discounts: PaymentDiscount[]
  /** In ascending order of creation and id, so that equal instants always have the same order. */
  subscriptions: PaymentSubscription[]
  /**
   * When each subscription was requested, by id: `readAt` by our clock; `askedAfter` by the provider's, as a lower
   * bound.
   */
  readAt: Map<string, Instant>
  askedAfter: Map<string, Instant>
  invoices: PaymentInvoice[]
  /** What earlier rebuilds observed and no invoice shows. */
  observations: Observation[]
}

/** Prices, products and coupons of a batch of customers, by id. */
export type Catalog = {
  prices: Map<string, PaymentPrice>
  products: Map<string, PaymentProduct>
  coupons: Map<string, PaymentCoupon>
}

// The casts are safe, because the store wrote these values from the same types.
type CustomerRow = {
  id: string
  payment_method: PaymentMethodLabel | null
  discounts: PaymentDiscount[] | null
}
type SubscriptionRow = {
  customer_id: string
  body: PaymentSubscription
  read_at: Instant
  asked_after: Instant
}
type InvoiceRow = Omit<PaymentInvoice, 'discounts'> & {
  customerId: string
  discounts: PaymentDiscount[] | null
}

/**
 * Reads everything for the rebuild of the first of these customers, at least one, that have at most `invoicesMax`
 * invoices together; the number of queries is fixed. Null omits the history while it is incomplete.
 */
export async function loadCustomerObjects(
  tenant: Tenant,
  ids: readonly string[],
  { invoicesMax }: { invoicesMax: number | null },
): Promise<CustomerObjects[]> {
  const mayBeCut = ids.length > 1 && invoicesMax !== null
  const customers = await sql<CustomerRow>`
    select id, payment_method, discounts from customers
     where organization_id = ${tenant.organizationId} and id = any(${ids}::text[]) order by id`.execute(
    tenant.sql,
  )
  const subscriptions = await sql<SubscriptionRow>`
    select customer_id, body, floor(extract(epoch from read_at))::bigint as read_at,
           floor(extract(epoch from asked_after))::bigint as asked_after
      from subscriptions
     where organization_id = ${tenant.organizationId} and customer_id = any(${ids}::text[])
     order by created_at, id`.execute(tenant.sql)
  const invoices =
    invoicesMax === null ? [] : await listInvoices(tenant, ids, mayBeCut ? invoicesMax + 1 : null)
  if (mayBeCut && invoices.length > invoicesMax) {
    const first = ids.slice(0, await countWithin(tenant, ids, invoicesMax))
    return loadCustomerObjects(tenant, first, { invoicesMax })
  }
  const observations = invoicesMax === null ? [] : await listObservations(tenant, ids)
  const objects = new Map<string, CustomerObjects>(
    customers.rows.map((row) => [
      row.id,
      {
        id: row.id,
        paymentMethod: row.payment_method,
        discounts: row.discounts ?? [],
        subscriptions: [],
        readAt: new Map(),
        askedAfter: new Map(),
        invoices: [],
        observations: [],
      },
    ]),
  )
  const ofSubscription = new Map<string, CustomerObjects>()
  for (const { customer_id, body, read_at, asked_after } of subscriptions.rows) {
    const customer = objects.get(customer_id)
    if (!customer) continue
    customer.subscriptions.push(body)
    customer.readAt.set(body.id, read_at)
    customer.askedAfter.set(body.id, asked_after)
    ofSubscription.set(body.id, customer)
  }
  for (const { discounts, ...row } of invoices)
    objects.get(row.customerId)?.invoices.push(discounts === null ? row : { ...row, discounts })
  for (const observation of observations)
    ofSubscription.get(observation.subscriptionId)?.observations.push(observation)
  return [...objects.values()]
}

async function listInvoices(
  tenant: Tenant,
  customerIds: readonly string[],
  limit: number | null,
): Promise<InvoiceRow[]> {
  const { rows } = await sql<Omit<InvoiceRow, 'lines'> & { lines: KeptLine[] }>`
    select id, customer_id as "customerId", subscription_id as "subscriptionId", status, currency,
           total_discount_cents as "totalDiscountCents", extract(epoch from created_at)::bigint as "createdAt",
           extract(epoch from finalized_at)::bigint as "finalizedAt",
           extract(epoch from uncollectible_at)::bigint as "uncollectibleAt", lines, discounts
      from invoices
     where organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])
     order by created_at, id limit ${limit}`.execute(tenant.sql)
  return rows.map((row) => ({ ...row, lines: row.lines.map(lineOf) }))
}

/** How many of these customers, from the first on, have at most `invoicesMax` invoices together; at least one. */
async function countWithin(tenant: Tenant, ids: readonly string[], invoicesMax: number): Promise<number> {
  const { rows } = await sql<{ id: string; count: number }>`
    select customer_id as id, count(*) as count from invoices
     where organization_id = ${tenant.organizationId} and customer_id = any(${ids}::text[])
     group by customer_id`.execute(tenant.sql)
  const countOf = new Map(rows.map(({ id, count }) => [id, count]))
  let sum = 0
  const over = ids.findIndex((id, index) => {
    sum += countOf.get(id) ?? 0
    return index > 0 && sum > invoicesMax
  })
  return over === -1 ? ids.length : over
}

/** How these invoices were paid, by the last of their payments that says so. */
export async function loadPaymentMethods(
  tenant: Tenant,
  invoiceIds: readonly string[],
): Promise<Map<string, PaymentMethodLabel>> {
  if (invoiceIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; label: PaymentMethodLabel }>`
    select distinct on (p.invoice_id) p.invoice_id as id, p.payment_method as label from invoice_payments p
     where p.organization_id = ${tenant.organizationId} and p.invoice_id = any(${invoiceIds}::text[])
       and p.payment_method is not null
     order by p.invoice_id, p.created_at desc, p.id desc`.execute(tenant.sql)
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** The catalog rows that these customers' objects mention. */
export async function loadCatalog(tenant: Tenant, customers: readonly CustomerObjects[]): Promise<Catalog> {
  const wanted = namedBy(customers)
  const ofThese = sql`organization_id = ${tenant.organizationId} and id = any(${[...wanted.prices]}::text[])`
  const prices = await sql<{
    body: PaymentPrice
  }>`${prepared} select body from prices where ${ofThese}`.execute(tenant.sql)
  const products = await sql<PaymentProduct>`${prepared}
    select id, name, is_active as "isActive", extract(epoch from created_at)::bigint as "createdAt" from products
     where organization_id = ${tenant.organizationId}
       and id = any(${[...wanted.products]}::text[] || array(select product_id from prices where ${ofThese}))`.execute(
    tenant.sql,
  )
  const coupons = await sql<{ body: PaymentCoupon }>`${prepared}
    select body from coupons
     where organization_id = ${tenant.organizationId} and id = any(${[...wanted.coupons]}::text[])`.execute(
    tenant.sql,
  )
  return {
    prices: new Map(prices.rows.map(({ body }) => [body.id, body])),
    products: new Map(products.rows.map((product) => [product.id, product])),
    coupons: new Map(coupons.rows.map(({ body }) => [body.id, body])),
  }
}

function namedBy(customers: readonly CustomerObjects[]) {
  const prices = new Set<string>()
  const products = new Set<string>()
  const coupons = new Set<string>()
  for (const { subscriptions, invoices, ...customer } of customers) {
    for (const { couponId } of customer.discounts) if (couponId !== null) coupons.add(couponId)
    for (const { items, discounts } of subscriptions) {
      for (const item of items) {
        prices.add(item.priceId)
        if (item.price.productId !== null) products.add(item.price.productId)
      }
      for (const discount of [...discounts, ...items.flatMap((item) => item.discounts)])
        if (discount.couponId !== null) coupons.add(discount.couponId)
    }
    for (const { lines, discounts } of invoices) {
      for (const line of lines) {
        if (line.priceId !== null) prices.add(line.priceId)
        if (line.productId !== null) products.add(line.productId)
      }
      for (const { couponId } of discounts ?? []) if (couponId !== null) coupons.add(couponId)
    }
  }
  return { prices, products, coupons }
}
