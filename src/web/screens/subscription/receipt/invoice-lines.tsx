import { Stack, Table, Text, Title } from '@mantine/core'
import type { ReceiptAnswer } from '#contract/receipt.ts'
import { Money } from '../../../components/figures/money.tsx'
import { formatDay } from '../../../ui/dates.ts'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { RuleLinks } from './rules.tsx'

type Line = {
  lineId: string
  description: string | null
  amount: number | null
  currency: string
  reason: string
  rule: string
  invoiceId: string | null
  invoiceLink: string | null
  period: string | null
  /** Whether its period was over by then. */
  isCarriedOn: boolean
}

/** Shows the invoice lines behind a receipt: those that it was read from, and those that it does not include. */
export function InvoiceLines({ receipt, scope }: { receipt: ReceiptAnswer; scope: string }) {
  const { currency } = receipt
  const used = receipt.parts.flatMap(({ lines, rules, ...invoice }) =>
    lines.map((line) => ({
      ...line,
      currency,
      invoiceId: invoice.invoiceId,
      invoiceLink: invoice.invoiceLink,
      period: periodOf(line),
      isCarriedOn: rules.includes('R20'),
    })),
  )
  const ignored = receipt.ignored.map((line) => ({ ...line, period: null, isCarriedOn: false }))
  const stated = receipt.parts.filter(({ invoiceId }) => invoiceId === null).length
  return (
    <Stack gap="sm">
      {stated === 0 ? null : <Text size="sm">{statedText(receipt, stated === receipt.parts.length)}</Text>}
      <LineTable title="Invoice lines used" lines={used} scope={scope} />
      <LineTable title="Invoice lines left out" lines={ignored} scope={scope} />
    </Stack>
  )
}

/** An event is told as of its own time, because an invoice can have come since. */
function statedText({ dated }: ReceiptAnswer, isAll: boolean): string {
  const what = isAll ? 'this' : 'some of the items'
  return dated === null
    ? `No invoice shows ${what} yet: it is what the subscription itself states.`
    : `No invoice showed ${what} then: it is what the subscription itself stated.`
}

/** The days of a billed period; null if they are not known. */
export function periodOf({
  periodStart,
  periodEnd,
}: {
  periodStart: string | null
  periodEnd: string | null
}) {
  return periodStart === null ? null : `${formatDay(periodStart)} to ${formatDay(periodEnd)}`
}

type LineTableProps = { title: string; lines: Line[]; scope: string }

function LineTable({ title, lines, scope }: LineTableProps) {
  if (lines.length === 0) return null
  return (
    <section>
      <Title order={4} size="h6">
        {title}
      </Title>
      <Table aria-label={title} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Line</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.lineId}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm">{line.description ?? line.lineId}</Text>
                {line.period === null ? null : (
                  <Text size="xs" c="dimmed">
                    {line.period}
                  </Text>
                )}
                <Text size="xs">
                  {line.reason} (<RuleLinks rules={[line.rule]} scope={scope} />)
                </Text>
                {line.isCarriedOn ? (
                  <Text size="xs">
                    No later invoice says anything else (<RuleLinks rules={['R20']} scope={scope} />)
                  </Text>
                ) : null}
                {line.invoiceLink === null ? null : (
                  // The space keeps a finger from hitting the link above.
                  <Text size="sm" mt={8} pb={4}>
                    <ExternalLink href={line.invoiceLink}>View Invoice</ExternalLink>
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">
                <Money amountCents={line.amount} currency={line.currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
