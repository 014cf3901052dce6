import { Anchor, Text } from '@mantine/core'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { paths, productName, safeRedirect } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { NewPassword } from './password-reset.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** /sign-in: comes back to where the visitor wanted to go, or to the start page. */
export function SignInScreen() {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [params, setParams] = useSearchParams()
  const resetToken = params.get('token')
  const returnTo = safeRedirect(params.get('redirectUrl'), window.location.origin, paths.dashboard)
  return (
    <FormCard title={`Sign in to ${productName}`}>
      <title>{`Sign in · ${productName}`}</title>
      {resetToken === null ? (
        <SignInForm
          returnTo={returnTo}
          onSignedIn={async () => {
            await forgetSession()
            await navigate(returnTo, { replace: true })
          }}
        />
      ) : (
        <NewPassword token={resetToken} onDone={() => setParams({}, { replace: true })} />
      )}
      <Text size="sm">
        No account yet?{' '}
        <Anchor component={Link} to={paths.signUp} size="sm" underline="always">
          Sign up
        </Anchor>
      </Text>
    </FormCard>
  )
}
