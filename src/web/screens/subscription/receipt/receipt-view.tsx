import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import type { ReceiptAnswer } from '#contract/receipt.ts'
import { useIsNarrow } from '../../../components/list-page/use-is-narrow.ts'
import { paths } from '../../../paths.ts'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { countedBy } from './counted-by.ts'
import { InvoiceLines, periodOf } from './invoice-lines.tsx'
import { RuleLinks, RuleTexts } from './rules.tsx'
import { type ReceiptStep, stepsOf } from './steps.ts'

/** Explains a figure by the steps of the sum, the invoice lines behind it, and the rules. */
export function ReceiptView({ receipt }: { receipt: ReceiptAnswer | null }) {
  const scope = useId()
  const isNarrow = useIsNarrow()
  if (receipt === null) {
    return <Text c="dimmed">The calculation will be shown here after the next import.</Text>
  }
  return (
    <Stack>
      <Table aria-label="Calculation" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
            {isNarrow ? null : <Table.Th>Rule</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stepsOf(receipt).map((step) => (
            <StepRow key={step.key} step={step} scope={scope} isNarrow={isNarrow} />
          ))}
        </Table.Tbody>
      </Table>
      <Ground name="Event type" ground={receipt.kind} scope={scope} />
      <Ground name="Date" ground={receipt.dated} scope={scope} />
      <LastInvoice bill={receipt.lastBill} />
      <InvoiceLines receipt={receipt} scope={scope} />
      <RuleTexts rules={receipt.rules} scope={scope} />
      <Text size="xs" c="dimmed">
        Counted by {countedBy(receipt)}.{' '}
        <Anchor component={Link} to={paths.whatChanged} size="xs" underline="always">
          Rule Changes
        </Anchor>
      </Text>
    </Stack>
  )
}

type GroundProps = { name: string; ground: ReceiptAnswer['kind']; scope: string }

/** A reason and the rule that accepts it. */
function Ground({ name, ground, scope }: GroundProps) {
  if (ground === null) return null
  return (
    <Text size="sm">
      {name}: {ground.reason} (<RuleLinks rules={[ground.rule]} scope={scope} />)
    </Text>
  )
}

function LastInvoice({ bill }: { bill: ReceiptAnswer['lastBill'] }) {
  if (bill === null) return null
  const facts = [periodOf(bill), bill.status].filter((fact) => fact !== null)
  return (
    <Text size="sm">
      Last invoice: {facts.join(', ')}
      {bill.invoiceLink === null ? null : (
        <>
          {'. '}
          <ExternalLink href={bill.invoiceLink}>View Invoice</ExternalLink>
        </>
      )}
    </Text>
  )
}

type StepRowProps = { step: ReceiptStep; scope: string; isNarrow: boolean }

/** A narrow screen has the rules of a step below it. */
function StepRow({ step, scope, isNarrow }: StepRowProps) {
  const weight = step.isResult ? 600 : 400
  const rules = <RuleLinks rules={step.rules} scope={scope} />
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text inherit span fw={weight}>
          {step.text}
        </Text>
        {isNarrow && step.rules.length > 0 ? <div>{rules}</div> : null}
      </Table.Td>
      <Table.Td fw={weight} ta="right" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {step.amount}
      </Table.Td>
      {isNarrow ? null : <Table.Td>{rules}</Table.Td>}
    </Table.Tr>
  )
}
