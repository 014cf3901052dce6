import { Badge } from '@mantine/core'
import { labelOf } from '#domain/subscription.ts'

const colors: Record<string, string> = {
  in_progress: 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
}

/** Shows the state of a run. */
export function RunBadge({ status }: { status: string }) {
  return (
    <Badge variant="light" color={colors[status] ?? 'gray'} tt="none">
      {runStatusLabel(status)}
    </Badge>
  )
}

/** The state of a run in words. */
export function runStatusLabel(status: string): string {
  return status === 'cancelled' ? 'Canceled' : labelOf(status)
}

export const runTypeLabels = { import: 'Data Import', sync: 'Data Sync', recount: 'MRR Recount' } as const
