import { Button, Card, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { dataOf, identity } from '../../identity/identity.ts'
import { useToast } from '../../ui/toast.tsx'
import { useFullOrganization, useRefreshOrganization } from './full-organization.ts'

/** Invites people by e-mail address, and takes open invitations back. */
export function InvitationsCard({ organizationId }: { organizationId: string }) {
  const toast = useToast()
  const organization = useFullOrganization(organizationId)
  const refresh = useRefreshOrganization(organizationId)
  const cancel = useMutation({
    mutationFn: (invitationId: string) =>
      dataOf(identity.organization.cancelInvitation({ invitationId }), 'Please try again.'),
    onSuccess: refresh,
    onError: (error) =>
      toast({ title: 'Invitation could not be cancelled', description: error.message, isError: true }),
  })
  const open = (organization.data?.invitations ?? []).filter(({ status }) => status === 'pending')
  return (
    <Card withBorder component="section" aria-label="Invitations">
      <Stack gap="sm">
        <Title order={3} size="h5">
          Invitations
        </Title>
        <InviteForm organizationId={organizationId} />
        {open.map((invitation) => (
          <Group key={invitation.id} justify="space-between">
            <Text size="sm">
              {invitation.email} ({invitation.role})
            </Text>
            <Button
              size="xs"
              variant="default"
              disabled={cancel.isPending}
              aria-label={`Cancel the invitation of ${invitation.email}`}
              onClick={() => cancel.mutate(String(invitation.id))}
            >
              Cancel
            </Button>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}

function InviteForm({ organizationId }: { organizationId: string }) {
  const toast = useToast()
  const refresh = useRefreshOrganization(organizationId)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<'member' | 'admin'>('member')
  const invite = useMutation({
    mutationFn: (address: string) =>
      dataOf(
        identity.organization.inviteMember({ email: address, role, organizationId }),
        'The invitation could not be sent.',
      ),
    onSuccess: async (_, address) => {
      setEmail('')
      toast({ title: 'Invitation sent', description: address })
      await refresh()
    },
    onError: (error) =>
      toast({ title: 'Invitation could not be sent', description: error.message, isError: true }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(email.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label="Email address"
          type="email"
          required
          flex={1}
          miw={200}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NativeSelect
          label="Role"
          value={role}
          data={[
            { value: 'member', label: 'Member' },
            { value: 'admin', label: 'Admin' },
          ]}
          onChange={(event) => setRole(event.currentTarget.value === 'admin' ? 'admin' : 'member')}
        />
        <Button type="submit" loading={invite.isPending}>
          Invite
        </Button>
      </Group>
    </form>
  )
}
