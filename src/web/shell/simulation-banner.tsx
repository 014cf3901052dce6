import { Alert, type AlertProps } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useAbout } from '../queries/session.ts'

/** Says on every screen that a provider is simulated. */
export function SimulationBanner(margins: Pick<AlertProps, 'm' | 'mb'>) {
  const { data: about } = useAbout()
  const simulated = [
    ...(about?.isStripeSimulated ? ['Stripe'] : []),
    ...(about?.isHubspotSimulated ? ['HubSpot'] : []),
  ]
  if (simulated.length === 0) return null
  return (
    <Alert
      component="aside"
      aria-label="Simulated providers"
      role="note"
      color="yellow"
      py="xs"
      style={{ flexShrink: 0 }}
      {...margins}
      icon={<IconFlask size={18} aria-hidden />}
    >
      Simulated {simulated.join(' and ')}: what you see here is made-up data, and nothing reaches a real
      account.
    </Alert>
  )
}
