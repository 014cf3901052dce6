import { useNavigate, useSearchParams } from 'react-router'
import { paths, productLine, productName, safeRedirect } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { NoAccountYet, OtherWays } from './other-ways.tsx'
import { CompleteSignUp, NewPassword } from './password-reset.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** /sign-in returns the visitor to the address they wanted, or to the start page. */
export function SignInScreen() {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [params, setParams] = useSearchParams()
  const resetToken = params.get('token')
  const signUpToken = params.get('signUp')
  const returnTo = safeRedirect(params.get('redirectUrl'), window.location.origin, paths.dashboard)
  const toSignIn = () => setParams(withRedirectOnly(params), { replace: true })
  const onSignedIn = async () => {
    await forgetSession()
    await navigate(returnTo, { replace: true })
  }
  return (
    <FormCard title={`Sign in to ${productName}`} subtitle={productLine}>
      <title>{`Sign in · ${productName}`}</title>
      {signUpToken !== null ? (
        <>
          <CompleteSignUp token={signUpToken} onDone={toSignIn} />
          <NoAccountYet />
        </>
      ) : resetToken !== null ? (
        <>
          <NewPassword token={resetToken} onDone={toSignIn} />
          <NoAccountYet />
        </>
      ) : (
        <SignInForm
          returnTo={returnTo}
          onSignedIn={onSignedIn}
          below={<OtherWays onSignedIn={onSignedIn} />}
        />
      )}
    </FormCard>
  )
}

/** Keeps the address that the visitor wanted, after the link in the address has been used. */
function withRedirectOnly(params: URLSearchParams): Record<string, string> {
  const redirectUrl = params.get('redirectUrl')
  return redirectUrl === null ? {} : { redirectUrl }
}
