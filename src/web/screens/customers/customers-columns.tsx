import { Badge, Group, Text } from '@mantine/core'
import type { CustomerEntry } from '#contract/customers/customers.ts'
import { matchLabel } from '#contract/lists/list-words.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { EmailInColumn } from '../../components/customers/email.tsx'
import { noCompanyText } from '../../components/customers/match-words.ts'
import { ChooseCompany } from '../../components/customers/unmatched.tsx'
import { Explained } from '../../components/explained.tsx'
import { Clipped } from '../../components/list-page/clipped.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { formatDay } from '../../ui/dates.ts'

export const customersColumns: Column<CustomerEntry>[] = [
  {
    accessor: 'customerName',
    title: 'Customer',
    sortable: 'text',
    render: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Text span size="sm" truncate>
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
    isMoney: true,
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
    render: (row) => <EmailInColumn address={row.customerEmail} />,
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
    render: ({ matchState }) => matchLabel(matchState),
  },
  { accessor: 'productNames', title: 'Product', render: (row) => <Products row={row} /> },
  { accessor: 'subscriptionCount', title: 'Subscriptions', textAlign: 'right' },
  { accessor: 'customerId', title: 'Customer ID' },
]

/** Names the product of the most MRR, and counts the others, which show when asked for and on paper. */
function Products({ row: { productNames, productCount } }: { row: CustomerEntry }) {
  const [first, ...others] = productNames
  if (first === undefined) return '-'
  const unnamed = productCount - productNames.length
  const words = [...others, ...(unnamed > 0 ? [`${unnamed.toLocaleString('en-US')} more`] : [])].join(', ')
  return (
    <Group gap={4} wrap="nowrap">
      <Clipped text={first} />
      {words === '' ? null : (
        <>
          <Text span size="sm" c="dimmed" className="not-printed">
            <Explained words={words}>
              <span aria-hidden>+{productCount - 1}</span>
            </Explained>
          </Text>
          <Text span size="sm" className="printed-only">
            and {words}
          </Text>
        </>
      )}
    </Group>
  )
}

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

/** What is shown at first. The others are under Columns. */
export const firstCustomerColumns = [
  'customerName',
  'currentMrr',
  'productNames',
  'companyName',
  'matchState',
  'customerEmail',
  'firstPaidAt',
] as const satisfies readonly (keyof CustomerEntry)[]
