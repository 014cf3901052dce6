import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { pageSession } from '../page-session.ts'
import { paths, withRedirect } from '../paths.ts'
import { isSignedOut, useAbout, useCurrentUser } from '../queries/session.ts'
import { StartButton } from '../ui/buttons/start-button.tsx'
import { MessagePage } from '../ui/message-page.tsx'
import { PageSpinner } from '../ui/page-spinner.tsx'
import { problemText } from '../ui/problems/problem-text.ts'

/**
 * These pages need no organization: its choice, and Account Settings, where the first membership is activated and an
 * empty list is read again. A redirect from there would make that unreachable.
 */
const withoutOrganization: readonly string[] = [paths.organizationSelection, paths.accountProfile]

/** Lets signed-in people through, and sends people without an organization to choose one. Others see `signedOut`. */
export function Gate({ signedOut }: { signedOut: ReactNode }) {
  const user = useCurrentUser()
  // The banner of a simulation is above every screen, which would jump if the banner arrived later.
  const about = useAbout()
  const { pathname, search, hash } = useLocation()
  // A later 401 leaves the last answer in the cache, so the error decides. During a repeated call the error is gone,
  // but the text in the sign-in must stay.
  const [wasSignedOut, setWasSignedOut] = useState(false)
  const isOut = isSignedOut(user.error) || (user.isPending && wasSignedOut)
  if (isOut !== wasSignedOut) setWasSignedOut(isOut)
  useOwnPage(isOut ? undefined : user.data)
  if ((user.isPending || about.isPending) && !isOut) return <PageSpinner />
  if (isOut) return <Suspense fallback={<PageSpinner />}>{signedOut}</Suspense>
  if (user.data === undefined) {
    return (
      <MessagePage
        order={1}
        title="Tributary cannot be reached"
        text={user.error === null ? '' : problemText(user.error)}
      >
        <StartButton isBusy={user.isFetching} onClick={() => void user.refetch()}>
          Try again
        </StartButton>
      </MessagePage>
    )
  }
  if (user.data.needsOrganization && !withoutOrganization.includes(pathname)) {
    const here = `${pathname}${search}${hash}`
    return <Navigate to={withRedirect(paths.organizationSelection, here)} replace />
  }
  return <Outlet />
}

/** Declares the owner of the page while it is shown. */
function useOwnPage(user: ReturnType<typeof useCurrentUser>['data']): void {
  const { id: userId, email, organization } = user ?? {}
  const organizationId = organization?.id ?? null
  useEffect(() => {
    if (userId === undefined || email === undefined) return
    pageSession.own({ userId, email, organizationId })
    return () => pageSession.own(null)
  }, [userId, email, organizationId])
}
