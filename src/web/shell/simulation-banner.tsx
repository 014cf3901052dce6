import { Anchor, Group, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useAbout } from '../queries/session.ts'
import classes from './simulation-banner.module.css'

/** The height of the strip in pixels, for the frame that makes room for it. */
export const bannerHeight = 28

/** Says on every screen, in one thin line, that a provider is simulated, and leads to the simulators and the mail. */
export function SimulationBanner() {
  const { data: about } = useAbout()
  const titleId = useId()
  if (!isSimulated(about)) return null
  return (
    <Group
      component="aside"
      role="note"
      aria-labelledby={titleId}
      className={classes['strip'] ?? ''}
      h={bannerHeight}
    >
      <Text inherit span id={titleId} truncate>
        Simulated {about?.isStripeSimulated ? <Page url={about.simulatedStripeUrl}>Stripe</Page> : null}
        {about?.isStripeSimulated && about.isHubspotSimulated ? ' and ' : null}
        {about?.isHubspotSimulated ? <Page url={about.simulatedHubspotUrl}>HubSpot</Page> : null}
        <Text inherit span visibleFrom="sm">
          : made-up data, and nothing reaches a real account
        </Text>
      </Text>
      {about?.outboxUrl ? <Page url={about.outboxUrl}>Outbox</Page> : null}
    </Group>
  )
}

/** Whether the strip is shown. */
export function isSimulated(about: ReturnType<typeof useAbout>['data']): boolean {
  return about !== undefined && (about.isStripeSimulated || about.isHubspotSimulated)
}

/** A page beside the app, in its own tab, so that the work here stays as it is. */
function Page({ url, children }: { url: string | null; children: ReactNode }) {
  if (url === null) return <>{children}</>
  return (
    <Anchor inherit c="inherit" underline="always" href={url} target="_blank" rel="noopener">
      {children}
    </Anchor>
  )
}
