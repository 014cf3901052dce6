import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { refusedText } from './refused-text.ts'

export const otherAccountText = 'Another HubSpot account is connected'
export const objectsMissingText = 'The custom objects in HubSpot are missing'

type Known = {
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
  obstacles: Known
  /** What cannot be done while HubSpot cannot be used. */
  withoutHubspot: string
  /** What cannot be done without Stripe; undefined if everything can. */
  withoutStripe?: string
  /** What cannot be done without the custom objects; undefined if everything can. */
  withoutObjects?: string
  /** Whether the screen says elsewhere that HubSpot refuses the connection. */
  isRefusalTold?: boolean
}

type Told = {
  title: string
  /** What cannot be done, and until when. */
  text: string
  /** Names the link to where it is put right. */
  cure: string
  color?: 'red'
}

/** What stands in the way, in words; empty while nothing does. */
export function toldObstacles(props: SyncObstaclesProps): Told[] {
  const { withoutHubspot, withoutStripe, withoutObjects, isRefusalTold = false } = props
  const { missing, isUndecided, isRefused, areObjectsMissing, mayDecide, isHubspotUsable } = props.obstacles
  const cure = (byManagers: string) => (mayDecide ? `${byManagers} on Data Sync` : 'Go to Data Sync')
  // Where a missing Stripe prevents less than HubSpot does, only HubSpot is named.
  const isStripeTold = isHubspotUsable ? withoutStripe !== undefined : withoutStripe === withoutHubspot
  const named = missing.filter((provider) => provider === 'HubSpot' || isStripeTold)
  const names = named.join(' and ')
  const told: Told[] = []
  if (isUndecided)
    told.push({
      title: otherAccountText,
      text: `${withoutHubspot} until this account is confirmed.`,
      cure: cure('Decide'),
    })
  if (isRefused && !isRefusalTold)
    told.push({
      title: refusedText(['hubspot']),
      text: `${withoutHubspot} until it is connected again.`,
      cure: cure('Reconnect'),
      color: 'red',
    })
  if (areObjectsMissing && withoutObjects !== undefined)
    told.push({
      title: objectsMissingText,
      text: `${withoutObjects} until they are there.`,
      cure: cure('See what to do'),
    })
  if (named.length > 0)
    told.push({
      title: `${names} ${named.length === 1 ? 'is' : 'are'} not connected`,
      text: `${named.includes('HubSpot') ? withoutHubspot : withoutStripe} until ${named.length === 1 ? 'it is' : 'both are'} connected.`,
      cure: `Connect ${names}`,
    })
  return told
}

/** Says why nothing can be written to HubSpot, and leads to where that is put right. Renders nothing while it can. */
export function SyncObstacles(props: SyncObstaclesProps) {
  return toldObstacles(props).map(({ title, text, cure, color = 'yellow' }) => (
    <Alert key={title} color={color} role="note" title={title}>
      {text} <Cure>{cure}</Cure>
    </Alert>
  ))
}

/** Leads, after a sentence that names what stands in the way of a sync, to where that is put right. */
export function ObstacleLink({ obstacles }: { obstacles: Known }) {
  const wanted = { withoutHubspot: '', withoutStripe: '', withoutObjects: '' }
  const [first] = toldObstacles({ obstacles, ...wanted })
  if (first === undefined) return null
  return (
    <>
      {' '}
      <Cure>{first.cure}</Cure>
    </>
  )
}

function Cure({ children }: { children: string }) {
  return (
    <Anchor component={Link} to={paths.dataSync} inherit underline="always">
      {children}
    </Anchor>
  )
}
