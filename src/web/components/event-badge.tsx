import { Badge } from '@mantine/core'
import type { ChangeType, MrrStatus } from '#domain/event.ts'
import { labelOf } from '#domain/subscription.ts'

const colors: Record<MrrStatus, string> = {
  New: 'blue',
  Upgrade: 'green',
  Downgrade: 'orange',
  Churn: 'red',
  Reactivation: 'violet',
  Planned_Cancellation: 'grape',
}

export function EventBadge({ mrrStatus }: { mrrStatus: MrrStatus }) {
  return (
    <Badge variant="light" color={colors[mrrStatus]}>
      {labelOf(mrrStatus)}
    </Badge>
  )
}

/** Writes 'quantity_change' as 'Quantity Change', and '-' without a type. */
export function changeTypeLabel(changeType: ChangeType | null): string {
  return changeType === null ? '-' : labelOf(changeType)
}
