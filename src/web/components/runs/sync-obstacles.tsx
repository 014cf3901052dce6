import { Alert, Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { refusedText } from './refused-text.ts'

export const otherAccountText = 'Another HubSpot account is connected'
export const objectsMissingText = 'The custom objects in HubSpot are missing'

type Told = {
  /** The providers that are not connected. */
  missing: readonly ('HubSpot' | 'Stripe')[]
  isUndecided: boolean
  isRefused: boolean
  areObjectsMissing: boolean
  /** Whether the person may put that right. */
  mayDecide: boolean
  isHubspotUsable: boolean
}

/** Each text is the beginning of a sentence that ends with 'until it is connected', or with what else is in the way. */
type SyncObstaclesProps = {
  obstacles: Told
  /** What cannot be done while HubSpot cannot be used. */
  withoutHubspot: string
  /** What cannot be done without Stripe; undefined if everything can. */
  withoutStripe?: string
  /** What cannot be done without the custom objects; undefined if everything can. */
  withoutObjects?: string
  /** Whether the screen says elsewhere that HubSpot refuses the connection. */
  isRefusalTold?: boolean
}

/** Says why nothing can be written to HubSpot, and leads to where that is put right. Renders nothing while it can. */
export function SyncObstacles(props: SyncObstaclesProps) {
  const { withoutHubspot, withoutStripe, withoutObjects, isRefusalTold = false } = props
  const { missing, isUndecided, isRefused, areObjectsMissing, mayDecide, isHubspotUsable } = props.obstacles
  const cure = (byManagers: string) => (mayDecide ? `${byManagers} on Data Sync` : 'Go to Data Sync')
  // Where a missing Stripe prevents less than HubSpot does, only HubSpot is named.
  const isStripeTold = isHubspotUsable ? withoutStripe !== undefined : withoutStripe === withoutHubspot
  const told = missing.filter((provider) => provider === 'HubSpot' || isStripeTold)
  const names = told.join(' and ')
  return (
    <>
      {isUndecided ? (
        <Obstacle title={otherAccountText} cure={cure('Decide')}>
          {withoutHubspot} until this account is confirmed.
        </Obstacle>
      ) : null}
      {isRefused && !isRefusalTold ? (
        <Obstacle color="red" title={refusedText(['hubspot'])} cure={cure('Reconnect')}>
          {withoutHubspot} until it is connected again.
        </Obstacle>
      ) : null}
      {areObjectsMissing && withoutObjects !== undefined ? (
        <Obstacle title={objectsMissingText} cure={cure('Create them')}>
          {withoutObjects} until they are there.
        </Obstacle>
      ) : null}
      {told.length === 0 ? null : (
        <Obstacle
          title={`${names} ${told.length === 1 ? 'is' : 'are'} not connected`}
          cure={`Connect ${names}`}
        >
          {told.includes('HubSpot') ? withoutHubspot : withoutStripe} until{' '}
          {told.length === 1 ? 'it is' : 'both are'} connected.
        </Obstacle>
      )}
    </>
  )
}

type ObstacleProps = { title: string; cure: string; color?: 'yellow' | 'red'; children: ReactNode }

function Obstacle({ title, cure, color = 'yellow', children }: ObstacleProps) {
  return (
    <Alert color={color} role="note" title={title}>
      {children}{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        {cure}
      </Anchor>
    </Alert>
  )
}
