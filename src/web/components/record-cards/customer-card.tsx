import { Badge, Text } from '@mantine/core'
import type { CustomerEntry } from '#contract/customers/customers.ts'
import { formatDay } from '../../ui/dates.ts'
import { CustomerMrr } from '../customers/customer-mrr.tsx'
import { customerTitle } from '../customers/customer-title.ts'
import { noCompanyText } from '../customers/match-words.ts'
import type { CardLines } from '../list-page/column.ts'

export function customerCard(row: CustomerEntry): CardLines {
  return {
    title: customerTitle(row),
    amount: <CustomerMrr customer={row} />,
    amountName: 'MRR',
    badge: <State row={row} />,
    date: row.firstPaidAt === null ? 'Not paid yet' : `First paid ${formatDay(row.firstPaidAt)}`,
  }
}

/** What a person has to know first: that the customer is gone, or else its company. */
function State({ row }: { row: CustomerEntry }) {
  if (row.erasureId !== null) return <Badge color="gray">Erased</Badge>
  if (row.isDeleted) return <Badge color="gray">Deleted</Badge>
  // Mostly the company has the customer's name, which stands above.
  if (row.companyName === customerTitle(row)) return null
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {row.companyName ?? (row.hubspotCompanyLink === null ? noCompanyText(row) : 'Unknown Company')}
    </Text>
  )
}
