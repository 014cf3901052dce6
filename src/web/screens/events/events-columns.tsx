import type { Transaction } from '#contract/events.ts'
import { CompanyName, customerInstead } from '../../components/company-name.tsx'
import { CustomerName } from '../../components/customers/customer-name.tsx'
import { EmailInColumn } from '../../components/customers/email.tsx'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import { Money } from '../../components/figures/money.tsx'
import { Clipped } from '../../components/list-page/clipped.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

export const eventsColumns: Column<Transaction>[] = [
  {
    accessor: 'transactionDate',
    title: 'Event Date',
    sortable: 'date',
    render: (event) => formatDay(event.transactionDate),
  },
  {
    accessor: 'invoiceId',
    title: 'Invoice',
    render: (event) => <InvoiceOf {...event} />,
  },
  {
    accessor: 'companyName',
    title: 'Company',
    render: (event) => (
      <CompanyName name={event.companyName} link={event.hubspotCompanyLink} {...customerInstead(event)} />
    ),
  },
  { accessor: 'customerName', title: 'Customer Name', render: (event) => <CustomerName {...event} /> },
  {
    accessor: 'customerEmail',
    title: 'Customer Email',
    render: (event) => <EmailInColumn address={event.customerEmail} />,
  },
  { accessor: 'customerDomain', title: 'Customer Domain' },
  { accessor: 'paymentMethod', title: 'Payment Method' },
  {
    accessor: 'mrrStatus',
    title: 'Transaction Type',
    term: 'eventType',
    render: (event) => <EventBadge mrrStatus={event.mrrStatus} />,
  },
  { accessor: 'changeType', title: 'Change Type', render: (event) => changeTypeLabel(event.changeType) },
  {
    accessor: 'previousMrr',
    title: 'Previous MRR',
    textAlign: 'right',
    render: (event) => <Money amountCents={event.previousMrr} currency={event.currency} />,
  },
  {
    accessor: 'currentMrr',
    title: 'Current MRR',
    textAlign: 'right',
    render: (event) => <Money amountCents={event.currentMrr} currency={event.currency} />,
  },
  {
    accessor: 'mrrChange',
    title: 'MRR Change',
    sortable: 'amount',
    isMoney: true,
    textAlign: 'right',
    render: (event) => <EventChange event={event} />,
  },
  { accessor: 'previousQuantity', title: 'Previous Qty', textAlign: 'right' },
  { accessor: 'currentQuantity', title: 'Current Qty', textAlign: 'right' },
]

/** The columns of a list of these types, parted by commas; '' for all. Where each of them loses MRR, the largest loss comes first. */
export function eventsColumnsOf(types: string): Column<Transaction>[] {
  const areLosses = types !== '' && types.split(',').every((type) => losing.has(type))
  if (!areLosses) return eventsColumns
  return eventsColumns.map((column) =>
    column.accessor === 'mrrChange' ? { ...column, sortable: 'loss' as const } : column,
  )
}

const losing = new Set(['Downgrade', 'Churn'])

/** What is shown at first: money, then what it is for. The others are under Columns. */
export const firstEventColumns = [
  'companyName',
  'mrrChange',
  'mrrStatus',
  'changeType',
  'transactionDate',
  'currentMrr',
  'customerEmail',
  'invoiceId',
] as const satisfies readonly (keyof Transaction)[]

/** By its number, which people know it by; its id is for a draft, which has none yet. */
function InvoiceOf({ invoiceNumber, invoiceId, invoiceLink }: Transaction) {
  const name = invoiceNumber ?? invoiceId
  if (name === null || invoiceLink === null) return name ?? '-'
  return (
    <Clipped text={name} keepsEnd>
      <ExternalLink href={invoiceLink}>{name}</ExternalLink>
    </Clipped>
  )
}
