import { Box, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { listOrganizations } from '#contract/organization.ts'
import { serverText, useEndpoint } from '../client.ts'
import { paths } from '../paths.ts'
import { useOpenOrganization } from '../queries/open-organization.ts'
import { useCurrentUser } from '../queries/session.ts'
import { useToast } from '../ui/toast.tsx'

/** Names the active organization on top of the sidebar. A person with several can change to another one. */
export function OrganizationSwitch({ onNavigate }: { onNavigate: () => void }) {
  const active = useCurrentUser().data?.organization ?? null
  const memberships = useEndpoint(listOrganizations, active === null ? null : {})
  const others = memberships.data?.organizations.filter(({ id }) => id !== String(active?.id)) ?? []
  if (active === null) return null
  const name = (
    <Text size="sm" fw={600} truncate>
      <VisuallyHidden>Organization: </VisuallyHidden>
      {active.name}
    </Text>
  )
  return (
    <Box px="xs" pt="xs" style={{ flexShrink: 0 }}>
      {others.length === 0 ? (
        <Box px="xs" py={6}>
          {name}
        </Box>
      ) : (
        <Choice name={name} activeName={active.name} others={others} onNavigate={onNavigate} />
      )}
    </Box>
  )
}

type ChoiceProps = {
  name: ReactNode
  activeName: string
  others: { id: string; name: string }[]
  onNavigate: () => void
}

function Choice({ name, activeName, others, onNavigate }: ChoiceProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const open = useOpenOrganization({
    onOpened: () => {
      onNavigate()
      return navigate(paths.dashboard)
    },
    onFailed: (error) =>
      toast({
        title: 'Organization could not be changed',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
  })
  return (
    <Menu width={228} position="bottom-start" disabled={open.isPending}>
      <Menu.Target>
        <UnstyledButton w="100%" px="xs" py={6}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            {name}
            <IconSelector size={16} aria-hidden style={{ flexShrink: 0 }} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Change organization</Menu.Label>
        <Menu.Item leftSection={<IconCheck size={16} aria-hidden />} aria-current="true">
          {activeName}
        </Menu.Item>
        {others.map((other) => (
          <Menu.Item key={other.id} pl={38} onClick={() => open.mutate(other.id)}>
            {other.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
