import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import type { ReceiptAnswer } from '#contract/receipt.ts'
import { paths } from '../../../paths.ts'
import { countedBy } from './counted-by.ts'
import { InvoiceLines } from './invoice-lines.tsx'
import { RuleLinks, RuleTexts } from './rules.tsx'
import { type ReceiptStep, stepsOf } from './steps.ts'

/** Explains a figure by the steps of the sum, the invoice lines behind it, and the rules. */
export function ReceiptView({ receipt }: { receipt: ReceiptAnswer | null }) {
  const scope = useId()
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
            <Table.Th>Rule</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stepsOf(receipt).map((step) => (
            <StepRow key={step.key} step={step} scope={scope} />
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
          What changed
        </Anchor>
      </Text>
    </Stack>
  )
}

function StepRow({ step, scope }: { step: ReceiptStep; scope: string }) {
  const weight = step.isResult ? 600 : 400
  return (
    <Table.Tr>
      <Table.Td fw={weight} style={{ overflowWrap: 'anywhere' }}>
        {step.text}
      </Table.Td>
      <Table.Td fw={weight} ta="right" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {step.amount}
      </Table.Td>
      <Table.Td>
        <RuleLinks rules={step.rules} scope={scope} />
      </Table.Td>
    </Table.Tr>
  )
}
