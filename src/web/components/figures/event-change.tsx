import type { Transaction } from '#contract/events.ts'
import { ConvertedMoney } from './converted-money.tsx'

/** Shows the change of an event in its own currency, with what it is in totals. */
export function EventChange({ event }: { event: Transaction }) {
  return (
    <ConvertedMoney
      amountCents={event.mrrChange}
      currency={event.currency}
      reportingCents={event.reportingMrrChange}
      reportingCurrency={event.reportingCurrency}
      rateText={event.rateText}
      isChange
    />
  )
}
