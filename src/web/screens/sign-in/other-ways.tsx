import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { DemoDoor } from './demo-door.tsx'

/** The ways of people without an account. */
export function OtherWays({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  return (
    <>
      <DemoDoor onSignedIn={onSignedIn} />
      <NoAccountYet />
    </>
  )
}

export function NoAccountYet() {
  return (
    <Text size="sm">
      No account yet?{' '}
      <Anchor component={Link} to={paths.signUp} size="sm" underline="always">
        Sign up
      </Anchor>
    </Text>
  )
}
