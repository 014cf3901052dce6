import { Badge, Group, NativeSelect, Table, Text, Tooltip } from '@mantine/core'
import { IconCrown, IconTrash } from '@tabler/icons-react'
import { mayChangeRole, type Role, roles } from '#domain/membership.ts'
import { StartIcon } from '../../ui/buttons/start-button.tsx'

export type ListedMember = { id: string; name: string; email: string; role: Role; isSelf: boolean }

type MemberRowProps = {
  member: ListedMember
  ownRole: Role
  isBusy: boolean
  onRole: (role: Role) => void
  onRemove: () => void
  onTransfer: () => void
}

const labels: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** Shows one person, with the changes that the reader may make. */
export function MemberRow({ member, ownRole, isBusy, onRole, onRemove, onTransfer }: MemberRowProps) {
  const isOwner = ownRole === 'owner'
  const self = { role: ownRole }
  const canChange = !member.isSelf && mayChangeRole(self, member, member.role)
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {member.name}
          {member.isSelf ? ' (you)' : ''}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        {canChange ? (
          <NativeSelect
            aria-label={`Role of ${member.email}`}
            miw={104}
            value={member.role}
            aria-busy={isBusy}
            data={roles
              .filter((role) => mayChangeRole(self, member, role))
              .map((role) => ({ value: role, label: labels[role] }))}
            onChange={(event) => {
              const chosen = roles.find((role) => role === event.currentTarget.value)
              if (chosen !== undefined && !isBusy) onRole(chosen)
            }}
          />
        ) : (
          <Badge variant="light">{labels[member.role]}</Badge>
        )}
      </Table.Td>
      <Table.Td>
        {canChange ? (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {isOwner ? (
              <Tooltip label="Transfer ownership">
                <StartIcon
                  variant="subtle"
                  aria-label={`Transfer ownership to ${member.email}`}
                  isOff={isBusy}
                  onClick={onTransfer}
                >
                  <IconCrown size={16} aria-hidden />
                </StartIcon>
              </Tooltip>
            ) : null}
            <StartIcon
              variant="subtle"
              color="red"
              aria-label={`Remove ${member.email}`}
              isOff={isBusy}
              onClick={onRemove}
            >
              <IconTrash size={16} aria-hidden />
            </StartIcon>
          </Group>
        ) : null}
      </Table.Td>
    </Table.Tr>
  )
}
