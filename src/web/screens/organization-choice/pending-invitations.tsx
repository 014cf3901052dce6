import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { acceptInvitation, listOwnInvitations } from '#contract/organization.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { useForgetSession } from '../../queries/session.ts'

type PendingInvitationsProps = { onJoined: () => Promise<void>; empty?: ReactNode }

/** Invitations that wait for the user's own decision, as when there are several. */
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
        <Group key={invitation.id} justify="space-between">
          <Text>{invitation.organizationName}</Text>
          <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate(invitation.id)}>
            Join
          </Button>
        </Group>
      ))}
    </Stack>
  )
}
