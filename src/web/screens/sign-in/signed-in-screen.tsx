import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { signedInChannelName } from '../../identity/signed-in-channel.ts'
import { productName } from '../../paths.ts'
import { FormCard } from '../../ui/form-card.tsx'

/** The window of a hosted sign-in ends here. It informs the page that waits, and closes itself. */
export function SignedInScreen() {
  useEffect(() => {
    const channel = new BroadcastChannel(signedInChannelName)
    channel.postMessage({})
    channel.close()
    window.close()
  }, [])
  return (
    <FormCard title="You are signed in">
      <title>{`Signed in · ${productName}`}</title>
      <Text>You can close this window and continue where you left off.</Text>
    </FormCard>
  )
}
