/** The type of the rule book's examples, and the builders that most of them share. */
import type { PaymentInvoice, PaymentPrice, PaymentSubscription, SubscriptionItem } from '#domain/payments.ts'
import { type ExampleAccount, invoice, item, line, on, price, subscription } from '../examples.ts'

/** A history and its ledger by the rule book. */
export type RuleExample = {
  /** 'R1' to 'R38'. */
  rule: string
  name: string
  /** Where the example or its figures were published: a tag of the rule book's sources. */
  from?: string
  account: ExampleAccount
  /** Its events as text lines; with several subscriptions, each line begins with its subscription. */
  events: readonly string[]
  /** A part of the reason why its first subscription is not counted. */
  unsupported?: string
  /** Minor units by currency. */
  currentMrr?: Record<string, number>
  /** '2025-02 usd 10000' for each 1st from its first event on. */
  snapshots?: readonly string[]
}

export const pro = price('pro', 2000)
export const seat = price('seat', 1000)
export const free = price('free', 0)

export const newAt = (cents: number, day = '2025-01-01', quantity = 1): string =>
  `${day} New/new_subscription 0>${cents} q0>${quantity}`

type Life = Partial<Omit<ExampleAccount, 'subscriptions'>> & { held?: Partial<PaymentSubscription> }

/** The account of one subscription, by default seen on 20 January 2025. */
export function lived(
  items: SubscriptionItem | SubscriptionItem[],
  invoices: PaymentInvoice[],
  { held, ...more }: Life = {},
): ExampleAccount {
  return { subscriptions: [subscription([items].flat(), held)], invoices, asOf: '2025-01-20', ...more }
}

/** A bill for a whole period from a day on. */
export function bill(
  of: PaymentPrice,
  quantity: number,
  from: string,
  more: Partial<Parameters<typeof line>[2]> = {},
  ofInvoice: Partial<PaymentInvoice> = {},
): PaymentInvoice {
  return invoice(from, [line(of, quantity, { from, ...more })], ofInvoice)
}

/** What a coupon took off a line. */
export const off = (amountCents: number, id = 'di_c') => ({ discounts: [{ id, amountCents }] })

/** Another subscription, with one bill on its first day. */
export function bought(id: string, day: string, more: Partial<PaymentSubscription> = {}, of = pro) {
  const own = { subscriptionId: id, subscriptionItemId: `si_${id}` }
  const held = item(of, 1, { id: own.subscriptionItemId, periodStart: on(day), createdAt: on(day) })
  return {
    subscription: subscription([held], { id, createdAt: on(day), ...more }),
    invoice: bill(of, 1, day, own, { id: `in_${id}`, subscriptionId: id }),
  }
}

export function together(
  made: ReturnType<typeof bought>[],
  asOf: string,
  more: Partial<ExampleAccount> = {},
): ExampleAccount {
  return {
    subscriptions: made.map((one) => one.subscription),
    invoices: made.map((one) => one.invoice),
    asOf,
    ...more,
  }
}

export const ended = (day: string): Partial<PaymentSubscription> => ({
  status: 'canceled',
  canceledAt: on(day),
  endedAt: on(day),
})
