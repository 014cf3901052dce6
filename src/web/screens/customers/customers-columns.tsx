import { Badge, Group, Text } from '@mantine/core'
import type { CustomerEntry } from '#contract/customers/customers.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { Email } from '../../components/customers/email.tsx'
import { noCompanyText } from '../../components/customers/match-words.ts'
import { ChooseCompany } from '../../components/customers/unmatched.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { formatDay } from '../../ui/dates.ts'

export const customersColumns: Column<CustomerEntry>[] = [
  {
    accessor: 'customerName',
    title: 'Customer',
    sortable: 'text',
    render: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Text span size="sm">
          {customerTitle(row)}
        </Text>
        {row.isDeleted ? <Badge color="gray">Deleted</Badge> : null}
        {row.erasureId === null ? null : <Badge color="gray">Erased</Badge>}
      </Group>
    ),
  },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    sortable: 'amount',
    textAlign: 'right',
    render: (row) => <CustomerMrr customer={row} />,
  },
  {
    accessor: 'companyName',
    title: 'Company',
    render: (row) =>
      row.companyName === null && row.hubspotCompanyLink === null ? (
        <NoCompany row={row} />
      ) : (
        <CompanyName name={row.companyName} link={row.hubspotCompanyLink} />
      ),
  },
  {
    accessor: 'customerEmail',
    title: 'Email',
    render: ({ customerEmail }) =>
      customerEmail === null ? (
        '-'
      ) : (
        <Text span size="sm" style={{ whiteSpace: 'normal' }}>
          <Email address={customerEmail} />
        </Text>
      ),
  },
  {
    accessor: 'firstPaidAt',
    title: 'First Paid',
    sortable: 'date',
    render: (row) => (row.firstPaidAt === null ? 'Not yet' : formatDay(row.firstPaidAt)),
  },
  {
    accessor: 'matchState',
    title: 'Match',
    render: ({ matchState }) => (matchState === null ? 'Not looked up yet' : matchTexts[matchState]),
  },
  { accessor: 'customerId', title: 'Customer ID' },
]

/** Leads to the choice of the company where one is to be chosen. */
function NoCompany({ row }: { row: CustomerEntry }) {
  const text = noCompanyText(row)
  if (row.matchState === 'pending')
    return <ChooseCompany customerId={row.customerId} state={row.matchState} text={text} />
  return (
    <Text span size="sm" c="dimmed">
      {text}
    </Text>
  )
}

const matchTexts = { linked: 'Matched', pending: 'Waits for review', ignored: 'Ignored' }

/** What is shown at first. The others are under Columns. */
export const firstCustomerColumns = [
  'customerName',
  'currentMrr',
  'companyName',
  'customerEmail',
  'firstPaidAt',
] as const satisfies readonly (keyof CustomerEntry)[]
