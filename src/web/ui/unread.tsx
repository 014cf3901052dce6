import { Alert, Button, Stack } from '@mantine/core'
import { problemText } from './problem-text.ts'

type UnreadProps = {
  /** The thing that is not known, as the beginning of a sentence. */
  what: string
  error: Error | null
  onRetry: () => void
}

/** Says that the content beside it is a placeholder, because the answer could not be read. */
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
