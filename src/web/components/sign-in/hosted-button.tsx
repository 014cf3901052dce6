import { Alert, Button, Stack } from '@mantine/core'

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
      <Button loading={isBusy} onClick={onStart}>
        Continue with {name}
      </Button>
    </Stack>
  )
}
