import { Button } from '@mantine/core'
import type { Transaction } from '#contract/events.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

export type Calculation = {
  /** Shows how the MRR of an event was calculated. */
  onExplain: (event: Transaction) => void
  /** The event that the address names. */
  namedId: string | null
}

export function CalculationButton({ event, onExplain, namedId }: Calculation & { event: Transaction }) {
  return (
    <Button
      variant={event.transactionId === namedId ? 'light' : 'subtle'}
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
  return (
    <ExternalLink href={invoiceLink} last="Invoice">
      View
    </ExternalLink>
  )
}
