import type { Transaction } from '#contract/events.ts'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import { Money } from '../../components/figures/money.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { formatDay } from '../../ui/dates.ts'
import { type Calculation, CalculationButton, InvoiceLink } from './event-links.tsx'

/** How it was paid: 'American Express •••• 4242'. A line ends before the dots alone, so that it takes two. */
export function methodText({ paymentMethod }: Transaction): string | null {
  return paymentMethod?.replaceAll(/ (?!•)/g, '\u00a0') ?? null
}

export const eventHistoryColumns = (calculation: Calculation): Column<Transaction>[] => [
  { accessor: 'transactionDate', title: 'Date', render: (event) => formatDay(event.transactionDate) },
  {
    accessor: 'mrrStatus',
    title: 'Event Type',
    term: 'eventType',
    render: (event) => <EventBadge mrrStatus={event.mrrStatus} />,
  },
  { accessor: 'productName', title: 'Product', render: (event) => event.productName ?? '-' },
  { accessor: 'paymentMethod', title: 'Payment Method', render: (event) => methodText(event) ?? '-' },
  {
    accessor: 'currentMrr',
    title: 'Current MRR',
    textAlign: 'right',
    render: (event) => <Money amountCents={event.currentMrr} currency={event.currency} />,
  },
  {
    accessor: 'previousMrr',
    title: 'Previous MRR',
    textAlign: 'right',
    render: (event) => <Money amountCents={event.previousMrr} currency={event.currency} />,
  },
  {
    accessor: 'mrrChange',
    title: 'MRR Change',
    textAlign: 'right',
    render: (event) => <EventChange event={event} />,
  },
  {
    accessor: 'transactionId',
    title: 'Calculation',
    render: (event) => <CalculationButton event={event} {...calculation} />,
  },
  { accessor: 'previousQuantity', title: 'Previous Qty', textAlign: 'right' },
  { accessor: 'currentQuantity', title: 'Current Qty', textAlign: 'right' },
  { accessor: 'changeType', title: 'Change Type', render: (event) => changeTypeLabel(event.changeType) },
  { accessor: 'invoiceId', title: 'Invoice ID', render: (event) => <InvoiceLink event={event} /> },
]
