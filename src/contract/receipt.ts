import { z } from 'zod'
import { cents, currency, instant } from './fields.ts'

/** An exact amount in minor units as text: '8333', or '25000/3' where it is no whole number. */
const exactAmount = z.string()

/** Of the rule book: 'R1' to 'R38'. */
const rule = z.string()

const invoiceLine = {
  lineId: z.string(),
  /** As the payment provider wrote it; null where the line is not kept any more. */
  description: z.string().nullable(),
  amount: cents.nullable(),
  reason: z.string(),
  rule,
}

/** How one subscription item comes to its part of a figure. */
export const receiptPart = z.object({
  itemId: z.string(),
  productId: z.string().nullable(),
  productName: z.string().nullable(),
  priceId: z.string().nullable(),
  quantity: z.int(),
  /** The invoice it was read from; null where the subscription itself states it. */
  invoiceId: z.string().nullable(),
  invoiceLink: z.string().nullable(),
  lines: z.array(
    z.object({ ...invoiceLine, periodStart: instant.nullable(), periodEnd: instant.nullable() }),
  ),
  /** Of one whole billing period: gross - discount - inclusiveTax = net. */
  gross: exactAmount,
  discount: exactAmount,
  discountIds: z.array(z.string()),
  inclusiveTax: exactAmount,
  net: exactAmount,
  interval: z.string(),
  intervalCount: z.int(),
  /** Months that the billing interval stands for, exact: net / months = monthly. */
  months: z.string(),
  monthly: exactAmount,
  rules: z.array(rule),
})
export type ReceiptPartAnswer = z.output<typeof receiptPart>

/** Why a figure is what it is: the parts add up to `sum`, and sum + rounding = mrr, exactly. */
export const receipt = z.object({
  /** The version of the rules that it was made by; 0 before versions were noted. */
  ruleBookVersion: z.int(),
  /** Which of the organization's choices of policy; 0 where it had chosen nothing. */
  policyRevision: z.int(),
  currency,
  /** What the instant of an event was read from; null on the figure of now. */
  dated: z.object({ reason: z.string(), rule }).nullable(),
  parts: z.array(receiptPart),
  sum: exactAmount,
  rounding: exactAmount,
  mrr: cents,
  /** Lines of the same invoices that have no part in the figure. */
  ignored: z.array(z.object({ ...invoiceLine, invoiceId: z.string(), invoiceLink: z.string().nullable() })),
  /** Every rule that shaped the figure or the event, ascending. */
  rules: z.array(rule),
})
export type ReceiptAnswer = z.output<typeof receipt>
