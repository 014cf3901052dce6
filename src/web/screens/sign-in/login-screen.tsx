import { Button, Divider } from '@mantine/core'
import { Link, useLocation, useNavigate } from 'react-router'
import type { OpenInvitation } from '#contract/organization.ts'
import { ClosedInvitationNote, InvitationNote, invitedSignUp } from '../../components/sign-in/invitation.tsx'
import { paths } from '../../paths.ts'
import { useForgetSession, useInvitation } from '../../queries/session.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { OtherWays } from './other-ways.tsx'
import { SignInCard } from './sign-in-card.tsx'

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
  const token = pathname === paths.organizationSelection ? params.get('invitationId') : null
  const { invitation, isClosed, isPending } = useInvitation(token)
  const onSignedIn = async () => {
    await forgetSession()
    await navigate(returnTo, { replace: true })
  }
  if (isPending) return <PageSpinner />
  const form = { returnTo, onSignedIn }
  return token === null || invitation === undefined ? (
    <SignInCard
      {...form}
      above={isClosed ? <ClosedInvitationNote /> : null}
      below={<OtherWays onSignedIn={onSignedIn} />}
    />
  ) : (
    <SignInCard
      {...form}
      knownEmail={invitation.email}
      above={<InvitedWay token={token} invitation={invitation} />}
    />
  )
}

/** Most people who are invited have no account yet. */
function InvitedWay({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  return (
    <>
      <InvitationNote invitation={invitation} />
      <Button component={Link} to={invitedSignUp(token)}>
        Sign up
      </Button>
      <Divider label="or, if you have an account" />
    </>
  )
}
