import { ActionIcon, Badge, Card, NativeSelect, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { labelOf } from '#domain/subscription.ts'
import { dataOf, identity } from '../../identity/identity.ts'
import { useToast } from '../../ui/toast.tsx'
import { useFullOrganization, useRefreshOrganization } from './full-organization.ts'

type MembersCardProps = { organizationId: string; ownEmail: string; isManager: boolean }

/** Who belongs to the organization; owners and admins may change roles and remove people. */
export function MembersCard({ organizationId, ownEmail, isManager }: MembersCardProps) {
  const organization = useFullOrganization(organizationId)
  const changes = useMemberChanges(organizationId)
  return (
    <Card withBorder component="section" aria-label="Members">
      <Stack gap="sm">
        <Title order={3} size="h5">
          Members
        </Title>
        {organization.isPending ? <Skeleton height={80} /> : null}
        {organization.error === null ? null : <Text>{organization.error.message}</Text>}
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label="Members">
            <Table.Tbody>
              {(organization.data?.members ?? []).map((member) => (
                <MemberRow
                  key={member.id}
                  member={{ ...member.user, id: String(member.id), role: member.role }}
                  canChange={isManager && member.role !== 'owner' && member.user.email !== ownEmail}
                  changes={changes}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
    </Card>
  )
}

type Member = { id: string; name: string; email: string; role: string }

function MemberRow(props: { member: Member; canChange: boolean; changes: MemberChanges }) {
  const { member, canChange, changes } = props
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{member.name}</Text>
        <Text size="xs" c="dimmed">
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        {canChange ? (
          <NativeSelect
            aria-label={`Role of ${member.email}`}
            value={member.role}
            disabled={changes.isPending}
            data={[
              { value: 'member', label: 'Member' },
              { value: 'admin', label: 'Admin' },
            ]}
            onChange={(event) =>
              changes.setRole(member.id, event.currentTarget.value === 'admin' ? 'admin' : 'member')
            }
          />
        ) : (
          <Badge variant="light" tt="none">
            {labelOf(member.role)}
          </Badge>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {canChange ? (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Remove ${member.email}`}
            disabled={changes.isPending}
            onClick={() => changes.remove(member.id)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        ) : null}
      </Table.Td>
    </Table.Tr>
  )
}

type MemberChanges = ReturnType<typeof useMemberChanges>

function useMemberChanges(organizationId: string) {
  const toast = useToast()
  const refresh = useRefreshOrganization(organizationId)
  const change = useMutation({
    mutationFn: (make: () => Promise<unknown>) => make(),
    onSuccess: async () => {
      await refresh()
      toast({ title: 'Members updated' })
    },
    onError: (error) =>
      toast({ title: 'Members could not be updated', description: error.message, isError: true }),
  })
  return {
    isPending: change.isPending,
    setRole: (memberId: string, role: 'admin' | 'member') =>
      change.mutate(() =>
        dataOf(
          identity.organization.updateMemberRole({ memberId, role, organizationId }),
          'Please try again.',
        ),
      ),
    remove: (memberIdOrEmail: string) =>
      change.mutate(() =>
        dataOf(identity.organization.removeMember({ memberIdOrEmail, organizationId }), 'Please try again.'),
      ),
  }
}
