import { discountCents, isDiscountable } from '../lines/discounting.ts'
import type { TaxRate } from '../model/offer.ts'
import type { StripeJson, WorldObject } from '../model/stripe-object.ts'
import type { DraftLine } from '../model/subscription.ts'
import { renderDiscount } from './render-subscription.ts'

/** The line as the provider's API returns it. */
export function renderLine(
  line: DraftLine,
  invoiceId: string,
  id: string,
  rate: TaxRate | null,
): WorldObject {
  return {
    id,
    object: 'line_item',
    amount: line.amount,
    currency: line.price.currency,
    description: line.description,
    discount_amounts: line.discounts.map(({ discount, amount }) => ({ amount, discount: discount.id })),
    discountable: isDiscountable(line),
    discounts: line.discounts
      .filter(({ discount }) => line.kind === 'proration' || discount.item !== null)
      .map(({ discount }) => renderDiscount(discount)),
    invoice: invoiceId,
    livemode: false,
    metadata: {},
    parent: renderParent(line),
    period: { end: line.end, start: line.start },
    pretax_credit_amounts: line.discounts.map(({ discount, amount }) => ({
      amount,
      discount: discount.id,
      type: 'discount',
    })),
    pricing: {
      price_details: { price: line.price.id, product: line.price.product.id },
      type: 'price_details',
      unit_amount_decimal: line.unit,
    },
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    subscription: line.subscription,
    subtotal: line.amount,
    taxes: rate === null ? [] : [renderTax(rate, line.taxCents, line.amount - discountCents(line))],
  }
}

/** A tax amount on a line or on an invoice; `netCents` is after discounts and includes inclusive tax. */
export function renderTax(rate: TaxRate, cents: number, netCents: number): StripeJson {
  return {
    amount: cents,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: 'standard_rated',
    taxable_amount: rate.inclusive ? netCents - cents : netCents,
    type: 'tax_rate_details',
  }
}

function renderParent(line: DraftLine): StripeJson {
  const proration = line.kind === 'proration'
  const credited = line.credited && {
    invoice: line.credited.invoice,
    invoice_line_items: line.credited.lines,
  }
  const details = {
    proration,
    proration_details: { credited_items: credited },
    subscription: line.subscription,
  }
  if (line.itemId === null) {
    return {
      invoice_item_details: { invoice_item: line.invoiceItem, ...details },
      subscription_item_details: null,
      type: 'invoice_item_details',
    }
  }
  return {
    invoice_item_details: null,
    subscription_item_details: { invoice_item: line.invoiceItem, ...details, subscription_item: line.itemId },
    type: 'subscription_item_details',
  }
}
