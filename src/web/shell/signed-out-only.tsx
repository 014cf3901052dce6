import { Navigate, Outlet, useSearchParams } from 'react-router'
import { paths, safeRedirect } from '../paths.ts'
import { useCurrentUser } from '../queries/session.ts'
import { PageSpinner } from '../ui/page-spinner.tsx'

/** Addresses with one of these show a form or a message that concerns the signed-in, too. */
const forEveryone = ['token', 'signUp', 'error']

/** Sends people who are signed in already from the sign-in and sign-up to where these would lead. */
export function SignedOutOnly() {
  const [params] = useSearchParams()
  const { data: user, isPending } = useCurrentUser()
  if (forEveryone.some((name) => params.has(name))) return <Outlet />
  if (isPending) return <PageSpinner />
  if (user === undefined) return <Outlet />
  return (
    <Navigate to={safeRedirect(params.get('redirectUrl'), window.location.origin, paths.dashboard)} replace />
  )
}
