import { z } from 'zod'
import { cents, currency, instant } from './fields.ts'

/** An exact amount in minor units as text: '8333', or '25000/3' when it is not a whole number. */
const exactAmount = z.string()

/** A number of the rule book: 'R1' to 'R38'. */
const rule = z.string()

const invoiceLine = {
  lineId: z.string(),
  /** The text that the payment provider wrote; null when the line is no longer kept. */
  description: z.string().nullable(),
  amount: cents.nullable(),
  reason: z.string(),
  rule,
}

/** Says why something is so, by a rule. */
const ground = z.object({ reason: z.string(), rule })

/** A discount with the terms of its coupon; null stands for what is not known. */
const receiptDiscount = z.object({
  id: z.string(),
  couponId: z.string().nullable(),
  couponName: z.string().nullable(),
  percentOff: z.number().nullable(),
  amountOff: cents.nullable(),
  /** 'once', 'repeating' or 'forever'. */
  duration: z.string().nullable(),
  durationInMonths: z.int().nullable(),
  /** What it was given to. */
  holder: z.enum(['item', 'subscription', 'invoice', 'customer']).nullable(),
})
export type ReceiptDiscountAnswer = z.output<typeof receiptDiscount>

/** Shows how one subscription item contributes to a figure. */
export const receiptPart = z.object({
  itemId: z.string(),
  productId: z.string().nullable(),
  productName: z.string().nullable(),
  priceId: z.string().nullable(),
  quantity: z.int(),
  /** The invoice that the amount was read from; null when the subscription itself states it. */
  invoiceId: z.string().nullable(),
  invoiceLink: z.string().nullable(),
  lines: z.array(
    z.object({ ...invoiceLine, periodStart: instant.nullable(), periodEnd: instant.nullable() }),
  ),
  /** Amounts of one whole billing period: gross - discount - inclusiveTax = net. */
  gross: exactAmount,
  discount: exactAmount,
  discountIds: z.array(z.string()),
  /** Those of which more than the id is known. */
  discounts: z.array(receiptDiscount),
  inclusiveTax: exactAmount,
  net: exactAmount,
  interval: z.string(),
  intervalCount: z.int(),
  /** The exact number of months in the billing interval: net / months = monthly. */
  months: z.string(),
  monthly: exactAmount,
  rules: z.array(rule),
})
export type ReceiptPartAnswer = z.output<typeof receiptPart>

/** Explains a figure exactly: the parts add up to `sum`, and sum + rounding = mrr. */
export const receipt = z.object({
  /** The version of the rules that produced the figure; 0 before versions were recorded. */
  ruleBookVersion: z.int(),
  /** The revision of the organization's policy; 0 when it had chosen nothing. */
  policyRevision: z.int(),
  currency,
  /** Says what the instant of an event was read from; null for the current figure. */
  dated: ground.nullable(),
  /** Says why an event is of its kind; null where there is nothing to say. */
  kind: ground.nullable(),
  /** When the subscription ends by a planned cancellation; null for other figures, and where nothing says so. */
  endsAt: instant.nullable(),
  /** What was billed last before an end; null for other figures, and where other lines show it. */
  lastBill: z
    .object({
      invoiceId: z.string(),
      invoiceLink: z.string().nullable(),
      periodStart: instant.nullable(),
      periodEnd: instant.nullable(),
      status: z.string().nullable(),
    })
    .nullable(),
  parts: z.array(receiptPart),
  sum: exactAmount,
  rounding: exactAmount,
  mrr: cents,
  /** Lines of the same invoices that the figure does not include. */
  ignored: z.array(
    z.object({
      ...invoiceLine,
      /** Of the amount: an invoice can be in another currency than the subscription. */
      currency,
      invoiceId: z.string(),
      invoiceLink: z.string().nullable(),
    }),
  ),
  /** Every rule that shaped the figure or the event, in ascending order. */
  rules: z.array(rule),
})
export type ReceiptAnswer = z.output<typeof receipt>
