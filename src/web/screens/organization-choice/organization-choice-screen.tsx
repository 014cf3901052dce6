import { Anchor, Button, Divider, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { checkDomainUsers, checkPendingInvitations } from '#contract/account.ts'
import { listOrganizations, listOwnInvitations, openOrganization } from '#contract/organization.ts'
import { call, useEndpoint } from '../../client.ts'
import { failureText, identity } from '../../identity/identity.ts'
import { paths, productName, safeRedirect } from '../../paths.ts'
import { useCurrentUser, useForgetSession } from '../../queries/session.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'
import { findOrganization, type OrganizationSearch } from './find-organization.ts'
import { NewOrganizationForm } from './new-organization-form.tsx'
import { PendingInvitations } from './pending-invitations.tsx'

const search: OrganizationSearch = {
  listOrganizationIds: async () => {
    const { organizations } = await call(listOrganizations)
    return organizations.map(({ id }) => id)
  },
  checkDomain: (emailDomain) => call(checkDomainUsers, { body: { emailDomain } }),
  checkInvitations: () => call(checkPendingInvitations),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  logProblem,
}

/** /org-selection finds the user's organization, or lets them create one. */
export function OrganizationChoiceScreen() {
  const user = useCurrentUser()
  const email = user.data?.email ?? ''
  const needsOrganization = user.data?.needsOrganization === true
  const enter = useEnter()
  const found = useQuery({
    queryKey: ['find-organization', email],
    queryFn: () => findOrganization(email, search),
    enabled: needsOrganization,
    gcTime: 0,
  })
  const memberOf = found.data?.kind === 'member' ? found.data.organizationId : null
  // A person who already has an organization may follow the link of an invitation, so the screen must not skip it.
  const [params] = useSearchParams()
  const isInvited = params.has('invitationId') && user.data?.needsOrganization === false
  // biome-ignore lint/correctness/useExhaustiveDependencies: `enter` only carries out what these decide.
  useEffect(() => {
    if (isInvited) return
    if (!needsOrganization) void enter(null)
    else if (memberOf !== null) void enter(memberOf)
  }, [isInvited, needsOrganization, memberOf])

  const choice = found.data?.kind === 'choice' ? found.data : null
  const isAsked = isInvited || choice?.hasPendingInvitation === true
  const invitations = useEndpoint(listOwnInvitations, isAsked ? {} : null, { staleTime: 0 })
  const pending = invitations.data?.invitations ?? []
  const isChecking = !needsOrganization || found.isPending || memberOf !== null || invitations.isLoading
  // An error outside the two checks ends the loading state; the server still decides who may create one.
  const canCreate = choice?.canCreate ?? found.isError
  const toJoin =
    pending.length === 0 ? null : <PendingInvitations pending={pending} onJoined={() => enter(null)} />
  if (isInvited)
    return (
      <Invited
        email={email}
        toJoin={invitations.isLoading ? <Loader /> : toJoin}
        onDone={() => enter(null)}
      />
    )
  return (
    <FormCard
      title={`Welcome to ${productName}`}
      subtitle="You need to join or create an organization to continue"
    >
      <title>{`Organization · ${productName}`}</title>
      {isChecking ? (
        <Checking />
      ) : (
        <>
          {toJoin}
          {canCreate && toJoin !== null ? <Divider label="or create another organization" /> : null}
          {canCreate ? (
            <NewOrganizationForm isAside={toJoin !== null} />
          ) : (
            <InvitationRequired email={email} inviters={choice?.inviters ?? []} />
          )}
          <SignOut email={email} />
        </>
      )}
    </FormCard>
  )
}

/** Activates the organization if one is named, and opens the address that the user wanted. */
function useEnter(): (organizationId: string | null) => Promise<void> {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [params] = useSearchParams()
  const target = safeRedirect(params.get('redirectUrl'), window.location.origin, paths.dashboardByName)
  return async (organizationId) => {
    if (organizationId !== null) {
      await call(openOrganization, { body: { organizationId } })
      await forgetSession()
    }
    await navigate(target, { replace: true })
  }
}

type InvitedProps = { email: string; toJoin: ReactNode; onDone: () => Promise<void> }

function Invited({ email, toJoin, onDone }: InvitedProps) {
  return (
    <FormCard title={`Welcome to ${productName}`} subtitle={`Signed in as ${email}`}>
      {toJoin ?? (
        <Text>There is no open invitation for this address. It may have been used or withdrawn.</Text>
      )}
      <Button variant="default" onClick={() => void onDone()}>
        Continue without joining
      </Button>
    </FormCard>
  )
}

function Checking() {
  return (
    <Stack align="center" gap="xs" role="status">
      <Loader />
      <Text fw={600}>Checking your invitations...</Text>
      <Text c="dimmed" ta="center">
        We&apos;re looking for any organization invitations for your account.
      </Text>
    </Stack>
  )
}

function InvitationRequired({ email, inviters }: { email: string; inviters: readonly string[] }) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Invitation Required
      </Title>
      <Text>
        Another user from your domain has already created an organization. Please contact your administrator
        to request an invitation.
      </Text>
      {inviters.length === 0 ? null : <Text>Ask {inviters.join(' or ')} to invite you.</Text>}
      <Text>
        Your email: <strong>{email}</strong>
      </Text>
      <Text>Make sure your administrator invites this exact email address.</Text>
      <Text c="dimmed">Already invited? Check your email for an invitation link.</Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        Check again
      </Button>
    </Stack>
  )
}

function SignOut({ email }: { email: string }) {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const toast = useToast()
  const signOut = async () => {
    const { error } = await identity.signOut()
    if (error !== null)
      return toast({
        title: 'Logout failed',
        description: failureText(error, 'Please try again.'),
        isError: true,
      })
    await navigate(paths.signIn)
    await forgetSession()
  }
  return (
    <Group gap={4}>
      <Text size="sm" c="dimmed">
        Signed in as {email}.
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
        Logout
      </Anchor>
    </Group>
  )
}
