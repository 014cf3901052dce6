import { Alert, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { acceptInvitation, listOwnInvitations } from '#contract/organization.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { useForgetSession } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'

type PendingInvitationsProps = { onJoined: () => Promise<void>; empty?: ReactNode }

/** Shows invitations that the user has to decide about: several, or one that a stranger may have sent. */
export function PendingInvitations({ onJoined, empty = null }: PendingInvitationsProps) {
  const forgetSession = useForgetSession()
  const invitations = useEndpoint(listOwnInvitations, {}, { staleTime: 0 })
  const accept = useMutation({
    mutationFn: async (invitationId: string) => {
      await call(acceptInvitation, { body: { invitationId } })
      await forgetSession()
      await onJoined()
    },
  })
  const pending = invitations.data?.invitations ?? []
  if (invitations.isPending) return <Loader />
  if (pending.length === 0) return empty
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Your invitations
      </Title>
      {accept.error === null ? null : (
        <Alert color="red" role="alert">
          {serverText(accept.error, 'The invitation could not be accepted.')}
        </Alert>
      )}
      {pending.map((invitation) => (
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
          <StartButton size="xs" isBusy={accept.isPending} onClick={() => accept.mutate(invitation.id)}>
            Join
          </StartButton>
        </Group>
      ))}
    </Stack>
  )
}
