import { Badge } from '@mantine/core'
import { labelOf } from '#domain/subscription.ts'

const colors: Record<string, string> = { active: 'green', trialing: 'blue', canceled: 'red' }

/** A subscription's status; one that the provider adds later is grey, under its own name. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge variant="light" color={colors[status] ?? 'gray'} tt="none">
      {labelOf(status)}
    </Badge>
  )
}
