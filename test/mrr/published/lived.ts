import { periodsLater } from '#domain/mrr/exact/interval.ts'
import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '#domain/payments.ts'
import { invoice, item, line, on, subscription } from '../examples.ts'

type Charge = readonly [of: PaymentPrice, quantity: number, more?: Partial<InvoiceLine>]
export type BilledDay = readonly [day: string, ...charges: Charge[]]
export type Lived = { subscription: PaymentSubscription; invoices: PaymentInvoice[] }

/** A subscription that is billed on these days, each time for a whole period; it runs on, or ended on a day. */
export function lived(id: string, billings: readonly BilledDay[], end?: string): Lived {
  const [[start] = [''], [last, ...charges] = ['']] = [billings[0], billings.at(-1)]
  const [createdAt, periodStart] = [on(start), on(last)]
  const items = charges.map(([of, quantity], place) => {
    const cadence = { interval: of.interval ?? 'month', count: of.intervalCount }
    const periodEnd = periodsLater(periodStart, cadence)
    return item(of, quantity, { id: `si_${id}_${place}`, createdAt, periodStart, periodEnd })
  })
  const ended = end === undefined ? {} : { status: 'canceled', canceledAt: on(end), endedAt: on(end) }
  return {
    subscription: subscription(items, { id, createdAt, ...ended }),
    invoices: billings.map(([from, ...each]) => {
      const lines = each.map(([of, quantity, more], place) => {
        const own = { id: `il_${id}_${from}_${place}`, subscriptionItemId: `si_${id}_${place}` }
        return line(of, quantity, { from, subscriptionId: id, ...own, ...more })
      })
      return invoice(from, lines, { id: `in_${id}_${from}`, subscriptionId: id })
    }),
  }
}
