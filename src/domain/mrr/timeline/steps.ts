import type { Instant } from '../../instant.ts'
import type { PaymentInvoice } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import { compareCharges } from '../bills/sort-bills.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { ObservedState } from './observation.ts'

/** The item stopped being billed without a credit. */
export type Closing = { at: Instant; itemKey: string }

/** All evidence about the items of one subscription, unsorted. */
export type Evidence = {
  charges: Charge[]
  credits: Credit[]
  observations: readonly ObservedState[]
  closings: Closing[]
}

/** What happens at one instant. */
export type TimelineStep = {
  charges: Charge[]
  credits: Credit[]
  observations: ObservedState[]
  /** Keys of items that ended. */
  closings: string[]
}

/** The evidence before an instant, grouped by instant and sorted by time. */
export function stepsOf(evidence: Evidence, before: Instant): [Instant, TimelineStep][] {
  const steps = new Map<Instant, TimelineStep>()
  const stepAt = (at: Instant): TimelineStep => {
    let step = steps.get(at)
    if (!step) {
      step = { charges: [], credits: [], observations: [], closings: [] }
      steps.set(at, step)
    }
    return step
  }
  const starts = new Map<PaymentInvoice, Instant[]>()
  for (const charge of evidence.charges)
    if (charge.at < before) stepAt(charge.countsFrom ?? togetherAt(charge, starts)).charges.push(charge)
  for (const credit of evidence.credits)
    if (credit.at < before) stepAt(togetherAt(credit, starts)).credits.push(credit)
  for (const seen of evidence.observations) if (seen.at < before) stepAt(seen.at).observations.push(seen)
  for (const { at, itemKey } of evidence.closings) if (at < before) stepAt(at).closings.push(itemKey)
  for (const step of steps.values()) if (step.charges.length > 1) step.charges.sort(compareCharges)
  return [...steps].sort(([a], [b]) => a - b)
}

/** One instant for all lines of an invoice that begin together: the earliest of them. */
function togetherAt(
  { at, invoice }: { at: Instant; invoice: PaymentInvoice },
  startsByInvoice: Map<PaymentInvoice, Instant[]>,
): Instant {
  if (invoice.lines.length < 2) return at
  let starts = startsByInvoice.get(invoice)
  if (!starts) {
    starts = firstInstants(invoice)
    startsByInvoice.set(invoice, starts)
  }
  return starts.findLast((start) => start <= at) ?? at
}

function firstInstants({ lines }: PaymentInvoice): Instant[] {
  const firsts: Instant[] = []
  const recurring = lines.filter((line) => line.isSubscriptionItem || line.isProration)
  for (const start of recurring.map(({ periodStart }) => periodStart).sort((a, b) => a - b)) {
    if (start - (firsts.at(-1) ?? Number.NEGATIVE_INFINITY) > sameRequestSeconds) firsts.push(start)
  }
  return firsts
}
