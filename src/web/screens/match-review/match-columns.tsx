import { Anchor, Stack, Text } from '@mantine/core'
import type { Match } from '#contract/matches.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { whyText } from '../../components/customers/match-words.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { Money } from '../../components/figures/money.tsx'
import type { Column } from '../../components/list-page/records-table.tsx'

/** Sentences wrap, because one line would be as wide as two screens. */
const wraps = { whiteSpace: 'normal', overflowWrap: 'anywhere' } as const

/** Shows this for a customer without a name. */
export function nameOf({ customerName, customerEmail, customerId }: Match): string {
  return customerName || customerEmail || customerId
}

/** Shows MRR in other currencies, which the sorted amount does not include. */
export function otherAmounts({ otherCurrencies }: Match): string {
  return otherCurrencies.map(({ currency, mrr }) => formatMoney(mrr, currency)).join(' and ')
}

/** `onOpen` shows the possible decisions about the customer. */
export function matchColumns(onOpen: (row: Match) => void): Column<Match>[] {
  return [
    {
      accessor: 'customerName',
      title: 'Customer',
      render: (row) => (
        <Stack gap={0} align="flex-start">
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="left"
            style={wraps}
            onClick={() => onOpen(row)}
          >
            {nameOf(row)}
          </Anchor>
          <Text size="xs" style={wraps}>
            {row.customerEmail ?? 'No email'}
          </Text>
        </Stack>
      ),
    },
    {
      accessor: 'currentMrr',
      title: 'MRR',
      textAlign: 'right',
      render: (row) => (
        <>
          <Money amountCents={row.currentMrr} currency={row.reportingCurrency} />
          {row.otherCurrencies.length === 0 ? null : <Text size="xs">and {otherAmounts(row)}</Text>}
          {row.uncountedSubscriptions === 0 ? null : (
            <Text size="xs">{row.uncountedSubscriptions} not counted</Text>
          )}
        </>
      ),
    },
    {
      accessor: 'companyName',
      title: 'Company',
      render: (row) => (
        <Text size="sm" component="div" style={wraps}>
          <Company row={row} />
        </Text>
      ),
    },
    {
      accessor: 'evidence',
      title: 'Why',
      render: (row) => (
        <>
          <Text size="sm" style={wraps}>
            {whyText(row)}
          </Text>
          {row.contactProblem === null ? null : (
            <Text size="xs" style={wraps}>
              Contact: {row.contactProblem}
            </Text>
          )}
        </>
      ),
    },
  ]
}

function Company({ row }: { row: Match }) {
  if (row.state === 'linked') return <CompanyName name={row.companyName} link={row.hubspotCompanyLink} />
  if (row.candidates.length === 0) return '-'
  const names = row.candidates.map(({ companyName }) => companyName ?? 'Unknown Company')
  const shown = names.slice(0, 2).join(', ')
  return `${shown}${names.length > 2 ? ` and ${names.length - 2} more` : ''}?`
}
