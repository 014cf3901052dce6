import { Badge, Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type ConnectionCardProps = { name: string; isConnected: boolean; children: ReactNode }

/** Shows one provider and whether it is connected. */
export function ConnectionCard({ name, isConnected, children }: ConnectionCardProps) {
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {name}
          </Title>
          <Badge variant="light" tt="none" color={isConnected ? 'green' : 'gray'}>
            {isConnected ? 'Connected' : 'Not connected'}
          </Badge>
        </Group>
        {children}
      </Stack>
    </Card>
  )
}
