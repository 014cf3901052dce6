import { Card, Group, Stack, Table, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type FactCardProps = {
  title: string
  facts: [name: string, value: ReactNode][]
  /** A menu beside the title. */
  menu?: ReactNode
  children?: ReactNode
}

/** Shows named values of one thing. */
export function FactCard({ title, facts, menu, children }: FactCardProps) {
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5">
            {title}
          </Title>
          {menu}
        </Group>
        <Table variant="vertical" withRowBorders={false}>
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
        {children}
      </Stack>
    </Card>
  )
}
