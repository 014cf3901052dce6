import type { getUpcomingRenewals } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { ConvertedMoney } from '../../components/figures/converted-money.tsx'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDayAhead } from '../../ui/dates.ts'

type Renewal = ResponseOf<typeof getUpcomingRenewals>['renewals'][number]

/** `now` is the base of '(in N days)'. */
export function renewalsColumns(now: Date): Column<Renewal>[] {
  return [
    {
      accessor: 'nextRenewalDate',
      title: 'Renewal Date',
      render: (renewal) => formatDayAhead(renewal.nextRenewalDate, now),
    },
    {
      accessor: 'companyName',
      title: 'Company',
      render: (renewal) => (
        <CompanyName
          name={renewal.companyName}
          link={renewal.hubspotCompanyLink}
          customerId={renewal.customerId}
        />
      ),
    },
    { accessor: 'productName', title: 'Product', render: (renewal) => renewal.productName ?? '-' },
    { accessor: 'status', title: 'Status', render: (renewal) => <StatusBadge status={renewal.status} /> },
    {
      accessor: 'currentMrr',
      title: 'MRR',
      textAlign: 'right',
      render: (renewal) => <Mrr renewal={renewal} />,
    },
  ]
}

/** A renewal on a narrow screen; `now` as above. */
export const renewalCard =
  (now: Date) =>
  (renewal: Renewal): CardLines => ({
    title: renewal.companyName || 'Unknown Company',
    amount: <Mrr renewal={renewal} />,
    amountName: 'MRR',
    badge: <StatusBadge status={renewal.status} />,
    date: formatDayAhead(renewal.nextRenewalDate, now),
    more: renewal.productName ?? undefined,
  })

function Mrr({ renewal }: { renewal: Renewal }) {
  return (
    <ConvertedMoney
      amountCents={renewal.currentMrr}
      currency={renewal.currency}
      reportingCents={renewal.reportingMrr}
      reportingCurrency={renewal.reportingCurrency}
      rateText={renewal.rateText}
    />
  )
}
