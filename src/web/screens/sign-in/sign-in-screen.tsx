import { useNavigate, useSearchParams } from 'react-router'
import { paths, safeRedirect } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { OtherWays } from './other-ways.tsx'
import { CompleteSignUp, NewPassword } from './password-reset.tsx'
import { SignInCard } from './sign-in-card.tsx'

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
  if (signUpToken !== null) return <CompleteSignUp token={signUpToken} onDone={toSignIn} />
  if (resetToken !== null) return <NewPassword token={resetToken} onDone={toSignIn} />
  return (
    <SignInCard
      isAfterDeletion={params.has('deleted')}
      returnTo={returnTo}
      onSignedIn={onSignedIn}
      below={<OtherWays onSignedIn={onSignedIn} />}
    />
  )
}

/** Keeps the address that the visitor wanted, after the link in the address has been used. */
function withRedirectOnly(params: URLSearchParams): Record<string, string> {
  const redirectUrl = params.get('redirectUrl')
  return redirectUrl === null ? {} : { redirectUrl }
}
