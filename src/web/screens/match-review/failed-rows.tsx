import { Alert, List } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { Decisions, Failure } from './use-decisions.ts'

type FailedRowsProps = { of: Failure['place']; decisions: Pick<Decisions, 'failure' | 'dismiss'> }

/** Keeps where it was decided which customers were not decided about, and why. */
export function FailedRows({ of, decisions: { failure, dismiss } }: FailedRowsProps) {
  if (failure === null || failure.place !== of) return null
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<IconAlertCircle aria-hidden />}
      title={failure.title}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
    >
      <List size="sm">
        {failure.lines.map(({ key, text }) => (
          <List.Item key={key}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
