import { Alert, Stack } from '@mantine/core'
import { StartButton } from '../../ui/buttons/start-button.tsx'

type HostedButtonProps = {
  /** The host of the identity provider. */
  name: string
  failure: string | null
  isBusy: boolean
  onStart: () => void
}

/** Opens the hosted identity provider. */
export function HostedButton({ name, failure, isBusy, onStart }: HostedButtonProps) {
  return (
    <Stack>
      {failure === null ? null : (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <StartButton isBusy={isBusy} onClick={onStart}>
        Continue with {name}
      </StartButton>
    </Stack>
  )
}
