import { Anchor, Text } from '@mantine/core'
import { Link, useLocation, useNavigate } from 'react-router'
import { paths, productLine, productName } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { DemoDoor } from './demo-door.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** People who are signed out see this at any address. After sign-in they stay at the address they asked for. */
export function LoginScreen() {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  // The problem shows above this form; a person who signs in no longer needs it.
  const isToldOfProblem = params.has('error')
  params.delete('error')
  const asked = !isToldOfProblem ? search : params.size === 0 ? '' : `?${params}`
  const returnTo = pathname === paths.login ? paths.dashboard : `${pathname}${asked}`
  const onSignedIn = async () => {
    await forgetSession()
    await navigate(returnTo, { replace: true })
  }
  return (
    <FormCard title={`Sign in to ${productName}`} subtitle={productLine}>
      <title>{`Sign in · ${productName}`}</title>
      <SignInForm returnTo={returnTo} onSignedIn={onSignedIn} />
      <DemoDoor onSignedIn={onSignedIn} />
      <Text size="sm">
        No account yet?{' '}
        <Anchor component={Link} to={paths.signUp} size="sm" underline="always">
          Sign up
        </Anchor>
      </Text>
    </FormCard>
  )
}
