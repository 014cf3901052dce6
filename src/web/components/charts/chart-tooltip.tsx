import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What a chart tells of the point under the pointer or the arrow keys. Screen readers speak it as it changes. */
export function ChartTooltip({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder shadow="md" p="xs" role="status">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {children}
    </Paper>
  )
}
