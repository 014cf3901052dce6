import { Button } from '@mantine/core'
import type { Transaction } from '#contract/events.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

/** Shows how the MRR of an event was calculated. */
export type OnExplain = (event: Transaction) => void

export function CalculationButton({ event, onExplain }: { event: Transaction; onExplain: OnExplain }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-haspopup="dialog"
      aria-label={`Show how the MRR of ${formatDay(event.transactionDate)} was calculated`}
      onClick={() => onExplain(event)}
    >
      Show
    </Button>
  )
}

/** Leads to the invoice of an event in Stripe; without the link, its id. */
export function InvoiceLink({ event: { invoiceLink, invoiceId } }: { event: Transaction }) {
  if (invoiceLink === null) return invoiceId ?? '-'
  return <ExternalLink href={invoiceLink}>View Invoice</ExternalLink>
}
