import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import type { ReceiptAnswer } from '#contract/receipt.ts'
import { useIsNarrow } from '../../../components/list-page/use-is-narrow.ts'
import { paths } from '../../../paths.ts'
import { countedBy } from './counted-by.ts'
import { InvoiceLines } from './invoice-lines.tsx'
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
      {receipt.dated === null ? null : (
        <Text size="sm">
          Date: {receipt.dated.reason} (<RuleLinks rules={[receipt.dated.rule]} scope={scope} />)
        </Text>
      )}
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
