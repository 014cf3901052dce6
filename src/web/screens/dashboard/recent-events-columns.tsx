import type { Transaction } from '#contract/events.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import type { Column } from '../../components/list-page/records-table.tsx'
import { RowLink } from '../../components/list-page/row-link.tsx'
import { QuantityChange } from '../../components/quantity-change.tsx'
import { paths } from '../../paths.ts'
import { formatDay } from '../../ui/dates.ts'

export const recentEventsColumns: Column<Transaction>[] = [
  {
    accessor: 'transactionDate',
    title: 'Event Date',
    render: (event) => (
      <RowLink
        to={event.relatedSubscriptionId === null ? null : paths.subscription(event.relatedSubscriptionId)}
      >
        {formatDay(event.transactionDate)}
      </RowLink>
    ),
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
