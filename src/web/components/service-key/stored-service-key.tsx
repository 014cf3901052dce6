import { Alert, Group, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { StartButton } from '../../ui/buttons/start-button.tsx'

type StoredServiceKeyProps = {
  maskedKey: string
  /** Says why another key is needed; null when none is. */
  warning: string | null
  isDisabled?: boolean
  /** The form for another key; `end` closes it. */
  formOf: (end: () => void) => ReactNode
}

/** Shows which service key connects HubSpot, and takes another one in its place. A refused key asks for it at once. */
export function StoredServiceKey({ maskedKey, warning, isDisabled = false, formOf }: StoredServiceKeyProps) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isChanging = chosen ?? warning !== null
  return (
    <Stack gap="sm">
      {warning === null ? null : (
        <Alert color="red" role="alert" title="A new service key is needed">
          {warning}
        </Alert>
      )}
      <Group align="flex-end">
        <TextInput label="HubSpot service key" readOnly value={maskedKey} flex={1} miw={200} />
        {isChanging ? null : (
          <StartButton variant="default" isOff={isDisabled} onClick={() => setChosen(true)}>
            Change Key
          </StartButton>
        )}
      </Group>
      {isChanging ? formOf(() => setChosen(false)) : null}
    </Stack>
  )
}
