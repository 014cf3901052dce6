import type { Transaction } from '#contract/events.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { QuantityChange } from '../../components/quantity-change.tsx'
import { formatDay } from '../../ui/dates.ts'

export const recentEventsColumns: Column<Transaction>[] = [
  {
    accessor: 'transactionDate',
    title: 'Event Date',
    render: (event) => formatDay(event.transactionDate),
  },
  {
    accessor: 'companyName',
    title: 'Company',
    render: (event) => (
      <CompanyName name={event.companyName} link={event.hubspotCompanyLink} customerId={event.customerId} />
    ),
  },
  {
    accessor: 'mrrStatus',
    title: 'Event Type',
    term: 'eventType',
    render: (event) => <EventBadge mrrStatus={event.mrrStatus} />,
  },
  { accessor: 'changeType', title: 'Change Type', render: (event) => changeTypeLabel(event.changeType) },
  {
    accessor: 'mrrChange',
    title: 'MRR Change',
    textAlign: 'right',
    render: (event) => <EventChange event={event} />,
  },
  {
    accessor: 'currentQuantity',
    title: 'Quantity',
    textAlign: 'right',
    render: (event) => <QuantityChange {...event} />,
  },
]
