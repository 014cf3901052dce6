import { Alert, List } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { Failure } from './use-decisions.ts'

/** Keeps on the page which customers were not decided about, and why. */
export function FailedRows({ failure, onDismiss }: { failure: Failure | null; onDismiss: () => void }) {
  if (failure === null) return null
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<IconAlertCircle aria-hidden />}
      title={failure.title}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onDismiss}
    >
      <List size="sm">
        {failure.lines.map(({ key, text }) => (
          <List.Item key={key}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
