import { Card, Group, Stack, Table, Title } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import classes from './fact-card.module.css'

export type CardFact = [name: string, value: ReactNode]

type FactCardProps = {
  title: string
  facts: CardFact[]
  /** Stands in two columns where there is room, in tight rows, because what is below it matters more. */
  isShort?: boolean
  /** A menu beside the title. */
  menu?: ReactNode
  children?: ReactNode
}

/** Shows named values of one thing. */
export function FactCard({ title, facts, isShort = false, menu, children }: FactCardProps) {
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5">
            {title}
          </Title>
          {menu}
        </Group>
        <Facts facts={facts} isShort={isShort} />
        {children}
      </Stack>
    </Card>
  )
}

function Facts({ facts, isShort }: Pick<FactCardProps, 'facts'> & { isShort: boolean }) {
  const inColumn = { '--facts-in-column': Math.ceil(facts.length / 2) } as CSSProperties
  // Rows of a grid are no rows to a screen reader unless they say so.
  return (
    <Table variant="vertical" withRowBorders={false} role="table" {...(isShort && { verticalSpacing: 2 })}>
      <Table.Tbody role="rowgroup" {...(isShort && { className: classes.short, style: inColumn })}>
        {facts.map(([name, value]) => (
          <Table.Tr key={name} role="row">
            <Table.Th
              scope="row"
              role="rowheader"
              w={isShort ? undefined : '40%'}
              fw={500}
              bg="transparent"
              c="dimmed"
            >
              {name}
            </Table.Th>
            <Table.Td role="cell" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
