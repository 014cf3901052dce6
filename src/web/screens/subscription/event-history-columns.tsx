import { Button } from '@mantine/core'
import type { Transaction } from '#contract/events.ts'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import { Money } from '../../components/figures/money.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

/** `onExplain` shows how the MRR of an event was calculated. */
export const eventHistoryColumns = (onExplain: (event: Transaction) => void): Column<Transaction>[] => [
  { accessor: 'transactionDate', title: 'Date', render: (event) => formatDay(event.transactionDate) },
  {
    accessor: 'mrrStatus',
    title: 'Event Type',
    term: 'eventType',
    render: (event) => <EventBadge mrrStatus={event.mrrStatus} />,
  },
  { accessor: 'productName', title: 'Product', render: (event) => event.productName ?? '-' },
  { accessor: 'paymentMethod', title: 'Payment Method', render: (event) => event.paymentMethod ?? '-' },
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
    render: (event) => (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-haspopup="dialog"
        aria-label={`Show how the MRR of ${formatDay(event.transactionDate)} was calculated`}
        onClick={() => onExplain(event)}
      >
        Show
      </Button>
    ),
  },
  { accessor: 'previousQuantity', title: 'Previous Qty', textAlign: 'right' },
  { accessor: 'currentQuantity', title: 'Current Qty', textAlign: 'right' },
  { accessor: 'changeType', title: 'Change Type', render: (event) => changeTypeLabel(event.changeType) },
  {
    accessor: 'invoiceId',
    title: 'Invoice ID',
    render: (event) =>
      event.invoiceLink === null ? (
        (event.invoiceId ?? '-')
      ) : (
        <ExternalLink href={event.invoiceLink}>View Invoice</ExternalLink>
      ),
  },
]
