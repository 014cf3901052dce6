import { Badge } from '@mantine/core'
import { labelOf } from '#domain/subscription.ts'

const colors: Record<string, string> = { active: 'green', trialing: 'blue', canceled: 'red' }

/** Shows the status of a subscription. A status that we do not know is gray and keeps the provider's name. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge variant="light" color={colors[status] ?? 'gray'}>
      {labelOf(status)}
    </Badge>
  )
}
