import { Alert, Button, Stack } from '@mantine/core'
import { problemText } from './problem-text.ts'

type UnreadProps = {
  /** What is not known, as the beginning of a sentence. */
  what: string
  error: Error | null
  onRetry: () => void
}

/** Says beside what stands in for an answer that it is no answer. */
export function Unread({ what, error, onRetry }: UnreadProps) {
  if (error === null) return null
  return (
    <Alert color="yellow" role="alert" title={`${what} could not be read`}>
      <Stack gap="xs" align="flex-start">
        What is shown here may not be how things are. {problemText(error)}
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
