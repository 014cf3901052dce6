import { Divider, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { dataOf, identity } from '../../identity/identity.ts'
import { useAbout } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { FailureText } from '../../ui/problems/failure-text.tsx'

const failed = 'The demo workspace could not be opened. Please try again.'

/** Enters the demo workspace with one click. Only an installation with simulated providers offers it. */
export function DemoDoor({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { data: about } = useAbout()
  const enter = useMutation({
    mutationFn: () => dataOf(identity.$fetch('/sign-in/demo', { method: 'POST', body: {} }), failed),
    onSuccess: onSignedIn,
  })
  if (!about?.hasDemo) return null
  return (
    <Stack gap="xs">
      <Divider label="or" />
      <FailureText text={enter.error?.message ?? null} />
      <StartButton variant="default" px="xs" isBusy={enter.isPending} onClick={() => enter.mutate()}>
        Explore the demo workspace
      </StartButton>
      <Text size="sm" c="dimmed">
        No account needed: two years of invented customers, already imported and synced.
      </Text>
    </Stack>
  )
}
