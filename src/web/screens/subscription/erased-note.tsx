import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Subscription } from '#contract/subscriptions.ts'
import { paths } from '../../paths.ts'
import { useIsManager } from '../../queries/session.ts'

/** Tells owners and admins that the customer was erased, and where that is certified. */
export function ErasedNote({ erasureId }: Pick<Subscription, 'erasureId'>) {
  if (!useIsManager() || erasureId === null) return null
  return (
    <Text size="sm">
      This person was erased.{' '}
      <Anchor component={Link} to={`${paths.accountProfile}?tab=privacy`}>
        See the certificate
      </Anchor>
    </Text>
  )
}
