import { Alert, Stack } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { problemText } from './problem-text.ts'
import { TryAgain } from './try-again.tsx'

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
        <TryAgain onRetry={onRetry} />
      </Stack>
    </Alert>
  )
}

type ReadFailureProps = {
  title: string
  error: Error
  onRetry: () => void
  isRetrying?: boolean
}

/** Stands in place of what could not be read. */
export function ReadFailure({ title, error, onRetry, isRetrying = false }: ReadFailureProps) {
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={title}>
      <Stack gap="xs" align="flex-start">
        {problemText(error)}
        <TryAgain onRetry={onRetry} isRetrying={isRetrying} />
      </Stack>
    </Alert>
  )
}
