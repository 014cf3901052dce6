import { Button, Group, Stack, Text } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ServiceKeyForm } from './service-key-form.tsx'

type ObjectDoorsProps = {
  /** undefined where another place of the screen has the button. */
  onRetry?: (() => void) | undefined
  isBusy: boolean
} & Pick<ComponentProps<typeof ServiceKeyForm>, 'typed' | 'ways'>

/** The ways to the custom objects where HubSpot does not let the app create them: again, by a key, by hand. */
export function ObjectDoors({ onRetry, isBusy, typed, ways }: ObjectDoorsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap="sm" component="section" aria-label="Ways to the custom objects">
      <Text size="sm">
        A service key may create the objects where an app may not. An admin of HubSpot can also create them by
        hand.
      </Text>
      <Group>
        {onRetry === undefined ? null : (
          <StartButton size="xs" isBusy={isBusy} onClick={onRetry}>
            Retry
          </StartButton>
        )}
        <StartButton
          size="xs"
          variant="default"
          isOff={isBusy}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Use a service key once
        </StartButton>
        <Button size="xs" variant="default" component={Link} to={paths.hubspotObjects}>
          Create by hand
        </Button>
      </Group>
      {isOpen ? (
        <ServiceKeyForm typed={typed} submitLabel="Create with this key" ways={ways} isForObjectsOnly />
      ) : null}
    </Stack>
  )
}
