import { Alert, Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'

export const otherAccountText = 'Another HubSpot account is connected'

type SyncObstaclesProps = {
  /** The providers that are not connected. */
  missing: readonly ('HubSpot' | 'Stripe')[]
  isUndecided: boolean
  /** Whether the person may say whether the other account is meant, and create the objects. */
  mayDecide: boolean
  /** Says what a missing connection means for the screen. */
  whileMissing: string
  /** Says what it means for the screen that nobody has said yet whether the other account is meant. */
  whileUndecided: string
  /** Says what it means for the screen that the custom objects could not be created; undefined while they are there. */
  whileObjectsMissing?: string | undefined
}

/** Says why nothing can be written to HubSpot, and leads to where that is put right. Renders nothing while it can. */
export function SyncObstacles(props: SyncObstaclesProps) {
  const { missing, isUndecided, mayDecide, whileMissing, whileUndecided, whileObjectsMissing } = props
  const names = missing.join(' and ')
  return (
    <>
      {isUndecided ? (
        <Obstacle title={otherAccountText} cure={mayDecide ? 'Decide on Data Sync' : 'Go to Data Sync'}>
          {whileUndecided}
        </Obstacle>
      ) : null}
      {whileObjectsMissing === undefined ? null : (
        <Obstacle
          title="The custom objects in HubSpot are missing"
          cure={mayDecide ? 'Create them on Data Sync' : 'Go to Data Sync'}
        >
          {whileObjectsMissing}
        </Obstacle>
      )}
      {missing.length === 0 ? null : (
        <Obstacle
          title={`${names} ${missing.length === 1 ? 'is' : 'are'} not connected`}
          cure={`Connect ${names}`}
        >
          {whileMissing}
        </Obstacle>
      )}
    </>
  )
}

function Obstacle({ title, cure, children }: { title: string; cure: string; children: ReactNode }) {
  return (
    <Alert color="yellow" role="note" title={title}>
      {children}{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        {cure}
      </Anchor>
    </Alert>
  )
}
