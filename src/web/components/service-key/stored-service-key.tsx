import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type StoredServiceKeyProps = {
  maskedKey: string
  /** Whether HubSpot no longer accepts the key. */
  isRefused: boolean
  isDisabled?: boolean
  /** The form for another key; `end` closes it. */
  formOf: (end: () => void) => ReactNode
}

/** Shows which service key connects HubSpot, and takes another one in its place. */
export function StoredServiceKey({
  maskedKey,
  isRefused,
  isDisabled = false,
  formOf,
}: StoredServiceKeyProps) {
  const [isChanging, setChanging] = useState(false)
  return (
    <Stack gap="sm">
      {isRefused ? (
        <Alert color="red" role="alert" title="HubSpot no longer accepts this service key">
          It was rotated or deleted in HubSpot. Enter the new key.
        </Alert>
      ) : null}
      <Group align="flex-end">
        <TextInput label="HubSpot service key" readOnly value={maskedKey} flex={1} miw={200} />
        {isChanging ? null : (
          <Button variant="default" disabled={isDisabled} onClick={() => setChanging(true)}>
            Change Key
          </Button>
        )}
      </Group>
      {isChanging ? formOf(() => setChanging(false)) : null}
    </Stack>
  )
}
