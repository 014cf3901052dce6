import { Anchor, Button, Divider, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { failureText, identity } from '../../identity/identity.ts'
import { paths, productName } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { NewOrganizationForm } from './new-organization-form.tsx'
import { PendingInvitations } from './pending-invitations.tsx'
import { useOrganizationChoice } from './use-organization-choice.ts'

/** /org-selection finds the user's organization, or lets them create one. */
export function OrganizationChoiceScreen() {
  const choice = useOrganizationChoice()
  const { email, isInvited, isChecking, pending, inviters, canCreate, goOn, lookAgain } = choice
  if (choice.failure !== null)
    return (
      <FormCard title={`Welcome to ${productName}`}>
        <ReadFailure
          title="Your organization could not be opened"
          error={choice.failure}
          onRetry={choice.retry}
        />
      </FormCard>
    )
  const toJoin = <PendingInvitations pending={pending} onJoined={goOn} onRefused={lookAgain} />
  const isAsked = pending.length > 0
  if (isInvited)
    return <Invited email={email} toJoin={isChecking ? <Loader /> : isAsked ? toJoin : null} onDone={goOn} />
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
          {canCreate && isAsked ? <Divider label="or create another organization" /> : null}
          {canCreate ? (
            <NewOrganizationForm isAside={isAsked} onRefused={lookAgain} />
          ) : (
            <InvitationRequired email={email} inviters={inviters} isInvited={isAsked} onCheck={lookAgain} />
          )}
          <SignOut email={email} />
        </>
      )}
    </FormCard>
  )
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

type InvitationRequiredProps = {
  email: string
  inviters: readonly string[]
  /** Whether an invitation stands above this by now. */
  isInvited: boolean
  onCheck: () => Promise<boolean>
}

function InvitationRequired({ email, inviters, isInvited, onCheck }: InvitationRequiredProps) {
  const check = useMutation({ mutationFn: onCheck })
  const outcome =
    check.error === null
      ? check.data === false && !isInvited && `Still no invitation for ${email}.`
      : problemText(check.error)
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
      <StartButton variant="default" isBusy={check.isPending} onClick={() => check.mutate()}>
        Check again
      </StartButton>
      {/* It keeps its place, so that an answer moves nothing. */}
      <Text role="status" size="sm" mih="1.55em" style={{ overflowWrap: 'anywhere' }}>
        {outcome}
      </Text>
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
    // First the session: the sign-in sends everybody on who still has one.
    await forgetSession()
    await navigate(paths.signIn)
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
