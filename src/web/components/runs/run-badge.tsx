import { Badge } from '@mantine/core'
import { runStatusLabel } from '#contract/lists/list-words.ts'

const colors: Record<string, string> = {
  in_progress: 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
}

/** Shows the state of a run. */
export function RunBadge({ status }: { status: string }) {
  return (
    <Badge variant="light" color={colors[status] ?? 'gray'}>
      {runStatusLabel(status)}
    </Badge>
  )
}
