import { Stack, Table, Text, Title } from '@mantine/core'
import type { ReceiptAnswer } from '#contract/receipt.ts'
import { counted } from '../../../components/counted.ts'
import { type ComparedFact, compareReceipts } from './compare-receipts.ts'
import { differenceInWords } from './difference-in-words.ts'

type WhatChangedProps = { before: ReceiptAnswer; after: ReceiptAnswer; hasSilentChange: boolean }

/**
 * Compares the receipt of an event with that of the MRR just before, and says in words what differs. That is the event
 * before, unless something changed at the same MRR since.
 */
export function WhatChanged({ before, after, hasSilentChange }: WhatChangedProps) {
  const { items, sameItems, mrr } = compareReceipts(before, after)
  const sentence = differenceInWords(before, after)
  const title = hasSilentChange ? 'What changed' : 'What changed since the event before'
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Title order={4} size="h6">
        {title}
      </Title>
      {sentence === null ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      )}
      {hasSilentChange ? (
        <Text size="sm">
          Earlier, after the event before, other things changed at the same MRR, which makes no event.
        </Text>
      ) : null}
      <Table aria-label="Before and after" layout="fixed" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Td w="28%" />
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {items.map(({ key, name, facts }) => (
          <Table.Tbody key={key}>
            {items.length + sameItems === 1 ? null : (
              <Table.Tr>
                <Table.Th scope="rowgroup" colSpan={3} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Table.Th>
              </Table.Tr>
            )}
            {facts.map((fact) => (
              <FactRow key={fact.name} {...fact} />
            ))}
          </Table.Tbody>
        ))}
        <Table.Tbody>
          <FactRow {...mrr} />
        </Table.Tbody>
      </Table>
      {sameItems === 0 ? null : (
        <Text size="sm" c="dimmed">
          {counted(sameItems, 'other item is', 'other items are')} as before.
        </Text>
      )}
    </Stack>
  )
}

/** What differs is bold and says so, because a color alone says nothing to many. */
function FactRow({ name, before, after, isChanged }: ComparedFact) {
  const value = {
    fw: isChanged ? 600 : 400,
    style: { overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  } as const
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} style={{ overflowWrap: 'break-word' }}>
        {name}
        {isChanged ? (
          <Text size="xs" c="dimmed">
            Changed
          </Text>
        ) : null}
      </Table.Th>
      <Table.Td {...value}>{before}</Table.Td>
      <Table.Td {...value}>{after}</Table.Td>
    </Table.Tr>
  )
}
