import { Alert, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ResponseOf } from '#contract/endpoint.ts'
import { acceptInvitation, type listOwnInvitations } from '#contract/organization.ts'
import { call, serverText } from '../../client.ts'
import { useForgetSession } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { leadsOn } from './leads-on.ts'

type PendingInvitationsProps = {
  pending: ResponseOf<typeof listOwnInvitations>['invitations']
  onJoined: () => Promise<void>
  /** Looks whether it was accepted in another tab; says whether that leads on. */
  onRefused: () => Promise<boolean>
}

/** Shows invitations that the user has to decide about: several, or one that a stranger may have sent. */
export function PendingInvitations({ pending, onJoined, onRefused }: PendingInvitationsProps) {
  const forgetSession = useForgetSession()
  const accept = useMutation({
    mutationFn: async (invitationId: string) => {
      try {
        await call(acceptInvitation, { body: { invitationId } })
      } catch (error) {
        if (await leadsOn(error, onRefused)) return
        throw error
      }
      await forgetSession()
      await onJoined()
    },
  })
  if (pending.length === 0 && accept.error === null) return null
  return (
    <Stack gap="sm">
      {pending.length === 0 ? null : (
        <Title order={2} size="h4">
          Your invitations
        </Title>
      )}
      {accept.error === null ? null : (
        <Alert color="red" role="alert">
          {serverText(accept.error, 'The invitation could not be accepted.')}
        </Alert>
      )}
      {pending.map((invitation, at) => (
        <Group key={invitation.id} justify="space-between" align="flex-start">
          <Stack gap={0} flex={1} miw={200}>
            <Text>{invitation.organizationName}</Text>
            <Text size="sm" c="dimmed">
              Invited by {invitation.inviterEmail}
            </Text>
            {invitation.isFromOwnDomain ? null : (
              <Text size="sm">
                Not from your domain. Join only if you know who invited you: what you connect there, its
                members see.
              </Text>
            )}
          </Stack>
          <StartButton
            autoFocus={at === 0}
            isBusy={accept.isPending}
            onClick={() => accept.mutate(invitation.id)}
          >
            Join
          </StartButton>
        </Group>
      ))}
    </Stack>
  )
}
