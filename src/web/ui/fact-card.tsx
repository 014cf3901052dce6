import { Card, Group, SimpleGrid, Stack, Table, Title } from '@mantine/core'
import type { ReactNode } from 'react'

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
  const half = Math.ceil(facts.length / 2)
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5">
            {title}
          </Title>
          {menu}
        </Group>
        {isShort ? (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing={0}>
            <Facts facts={facts.slice(0, half)} verticalSpacing={2} />
            <Facts facts={facts.slice(half)} verticalSpacing={2} />
          </SimpleGrid>
        ) : (
          <Facts facts={facts} />
        )}
        {children}
      </Stack>
    </Card>
  )
}

type FactsProps = Pick<FactCardProps, 'facts'> & { verticalSpacing?: number }

function Facts({ facts, ...spacing }: FactsProps) {
  return (
    <Table variant="vertical" withRowBorders={false} {...spacing}>
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%" fw={500} bg="transparent" c="dimmed">
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
