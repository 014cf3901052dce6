import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { StartButton } from '../buttons/start-button.tsx'
import { type ActionProblem, ProblemAlert } from '../problems/problem-alert.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  isOpen: boolean
  title: string
  text: ReactNode
  confirmLabel: string
  isBusy: boolean
  /** Nothing can be confirmed yet. */
  isOff?: boolean
  /** Says why the action failed; null while nothing did. */
  problem?: ActionProblem | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog opened={props.isOpen} onClose={props.onClose} title={props.title} centered>
      <Stack>
        <Text component="div">{props.text}</Text>
        <ProblemAlert problem={props.problem ?? null} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            Cancel
          </Button>
          <StartButton
            color="red"
            isBusy={props.isBusy}
            isOff={props.isOff ?? false}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </StartButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
