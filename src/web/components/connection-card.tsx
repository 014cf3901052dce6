import { Badge, Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type ConnectionCardProps = {
  name: string
  isConnected: boolean
  /** Stands in the corner of the card, for what is rarely done. */
  menu: ReactNode
  children: ReactNode
}

/** Shows one provider and whether it is connected. */
export function ConnectionCard({ name, isConnected, menu, children }: ConnectionCardProps) {
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {name}
          </Title>
          <Group gap="xs">
            <Badge variant="light" tt="none" color={isConnected ? 'green' : 'gray'}>
              {isConnected ? 'Connected' : 'Not connected'}
            </Badge>
            {menu}
          </Group>
        </Group>
        {children}
      </Stack>
    </Card>
  )
}
