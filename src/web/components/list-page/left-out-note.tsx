import { Alert, Button, Stack } from '@mantine/core'
import type { ListControls } from './use-list-state.ts'

/** Says which filters of the address the list cannot follow, and leads to the list without them. */
export function LeftOutNote({ leftOut, change }: ListControls) {
  if (leftOut.length === 0) return null
  return (
    <Alert color="yellow" role="alert" title="Part of this address is not possible">
      <Stack gap="xs" align="flex-start">
        {leftOut.map(({ name, text, reason }) => (
          <span key={name}>
            {name}={text}: {reason}. The list shows all of them instead.
          </span>
        ))}
        <Button size="xs" variant="default" onClick={() => change({}, 'replace')}>
          Remove it from the address
        </Button>
      </Stack>
    </Alert>
  )
}
