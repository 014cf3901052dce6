import { useState } from 'react'
import { failureText, identity } from './identity.ts'

/** The name under which the server registers its hosted identity provider. */
const hostedProviderId = 'oidc'

/** Leads to the hosted provider's page, which comes back to `returnTo`, a path of ours. */
export function useHostedSignIn(returnTo: string) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    const { error } = await identity.signIn.social({ provider: hostedProviderId, callbackURL: returnTo })
    if (error === null) return
    setBusy(false)
    setFailure(failureText(error, 'The sign-in could not be started. Please try again.'))
  }
  return { start, isBusy, failure }
}
