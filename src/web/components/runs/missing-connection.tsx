import { Alert, Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'

type Provider = 'HubSpot' | 'Stripe'

type MissingConnectionProps = {
  /** The providers that are not connected. */
  missing: readonly Provider[]
  /** Says what that means for the screen. */
  children: ReactNode
}

/** Says which provider is not connected, and leads to where it is connected. Renders nothing while none is missing. */
export function MissingConnection({ missing, children }: MissingConnectionProps) {
  if (missing.length === 0) return null
  const names = missing.join(' and ')
  return (
    <Alert color="yellow" role="note" title={`${names} ${missing.length === 1 ? 'is' : 'are'} not connected`}>
      {children}{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        Connect {names}
      </Anchor>
    </Alert>
  )
}
