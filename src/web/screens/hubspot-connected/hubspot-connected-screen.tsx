import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paths, productName } from '../../paths.ts'
import { hubspotChannelName } from '../../queries/hubspot-channel.ts'
import { FormCard } from '../../ui/form-card.tsx'

/**
 * The popup ends here after HubSpot's consent. The screen informs the wizard, and closes itself if the browser allows
 * it.
 */
export function HubspotConnectedScreen() {
  const [params] = useSearchParams()
  const outcome = params.get('outcome') ?? 'unknown'
  useEffect(() => {
    const channel = new BroadcastChannel(hubspotChannelName)
    channel.postMessage({ outcome })
    channel.close()
    window.close()
  }, [outcome])
  const isConnected = outcome === 'connected'
  return (
    <FormCard title={isConnected ? 'HubSpot is connected' : 'HubSpot was not connected'}>
      <title>{`HubSpot · ${productName}`}</title>
      <Text>You can close this window and continue where you left off.</Text>
      <Button component={Link} to={paths.setup} variant="default">
        Back to the Setup Wizard
      </Button>
    </FormCard>
  )
}
