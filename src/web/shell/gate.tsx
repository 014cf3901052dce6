import { Button } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { pageSession } from '../page-session.ts'
import { paths, withRedirect } from '../paths.ts'
import { isSignedOut, useAbout, useCurrentUser } from '../queries/session.ts'
import { MessagePage } from '../ui/message-page.tsx'
import { PageSpinner } from '../ui/page-spinner.tsx'
import { problemText } from '../ui/problem-text.ts'

/**
 * Where nobody needs an organization: to choose one, and in Account Settings. These are where it is said that one is to be
 * selected, where the first membership is activated and an empty list is asked for again: leading away from there would
 * make all of that unreachable.
 */
const withoutOrganization: readonly string[] = [paths.organizationSelection, paths.accountProfile]

/** Lets the signed in through, and sends those without an organization to choose one. */
export function Gate({ login }: { login: ReactNode }) {
  const user = useCurrentUser()
  // The banner of a simulation stands above every screen, which would jump if it came later.
  const about = useAbout()
  const { pathname, search, hash } = useLocation()
  // A later 401 leaves the last answer in the cache, so the error decides and not the data; and while it is asked
  // again the error is gone, but what has been typed into the sign-in must stay.
  const [wasSignedOut, setWasSignedOut] = useState(false)
  const isOut = isSignedOut(user.error) || (user.isPending && wasSignedOut)
  if (isOut !== wasSignedOut) setWasSignedOut(isOut)
  useOwnPage(isOut ? undefined : user.data)
  if ((user.isPending || about.isPending) && !isOut) return <PageSpinner />
  if (isOut) return <Suspense fallback={<PageSpinner />}>{login}</Suspense>
  if (user.data === undefined) {
    return (
      <MessagePage
        order={1}
        title="Tributary cannot be reached"
        text={user.error === null ? '' : problemText(user.error)}
      >
        <Button loading={user.isFetching} onClick={() => void user.refetch()}>
          Try again
        </Button>
      </MessagePage>
    )
  }
  if (user.data.needsOrganization && !withoutOrganization.includes(pathname)) {
    const here = `${pathname}${search}${hash}`
    return <Navigate to={withRedirect(paths.organizationSelection, here)} replace />
  }
  return <Outlet />
}

/** Says whose page this is while it is shown. */
function useOwnPage(user: ReturnType<typeof useCurrentUser>['data']): void {
  const { id: userId, email, organization } = user ?? {}
  const organizationId = organization?.id ?? null
  useEffect(() => {
    if (userId === undefined || email === undefined) return
    pageSession.own({ userId, email, organizationId })
    return () => pageSession.own(null)
  }, [userId, email, organizationId])
}
