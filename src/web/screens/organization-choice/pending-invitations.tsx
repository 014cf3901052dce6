import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dataOf, identity } from '../../identity/identity.ts'
import { useForgetSession } from '../../queries/session.ts'

type PendingInvitationsProps = { onJoined: () => Promise<void>; empty?: ReactNode }

/** Invitations that wait for the user's own decision, as when there are several. */
export function PendingInvitations({ onJoined, empty = null }: PendingInvitationsProps) {
  const forgetSession = useForgetSession()
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: () => dataOf(identity.organization.listUserInvitations(), 'Your invitations could not be read.'),
    staleTime: 0,
  })
  const accept = useMutation({
    mutationFn: async (invitation: { id: string; organizationId: string }) => {
      const fallback = 'The invitation could not be accepted.'
      await dataOf(identity.organization.acceptInvitation({ invitationId: invitation.id }), fallback)
      await dataOf(identity.organization.setActive({ organizationId: invitation.organizationId }), fallback)
      await forgetSession()
      await onJoined()
    },
  })
  const pending = (invitations.data ?? []).filter((invitation) => invitation.status === 'pending')
  if (invitations.isPending) return <Loader />
  if (pending.length === 0) return empty
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Your invitations
      </Title>
      {accept.error === null ? null : (
        <Alert color="red" role="alert">
          {accept.error.message}
        </Alert>
      )}
      {pending.map((invitation) => (
        <Group key={invitation.id} justify="space-between">
          <Text>{invitation.organizationName}</Text>
          <Button
            size="xs"
            loading={accept.isPending}
            onClick={() =>
              accept.mutate({
                id: String(invitation.id),
                organizationId: String(invitation.organizationId),
              })
            }
          >
            Join
          </Button>
        </Group>
      ))}
    </Stack>
  )
}
