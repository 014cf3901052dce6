import { Box, Collapse, Group, NavLink, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconLogout, IconSettings, IconTable } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useCurrentUser } from '../queries/session.ts'
import { Portrait } from '../ui/portrait.tsx'
import { useLogOut } from './command/use-log-out.ts'
import { Preferences } from './preferences.tsx'
import classes from './user-block.module.css'

/** Shows the signed-in person, with their preferences and links to their account and to sign out. */
export function UserBlock({ onNavigate }: { onNavigate: () => void }) {
  const { data: user } = useCurrentUser()
  const [isOpen, { toggle }] = useDisclosure(false)
  const logOut = useLogOut()
  if (user === undefined) return null
  const name = user.name.trim() || user.email.split('@')[0] || user.email
  return (
    <Box p="xs" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      <Collapse expanded={isOpen} className={classes['menu'] ?? ''}>
        <Preferences />
        <NavLink
          component={Link}
          to={paths.accountProfile}
          label="Account Settings"
          leftSection={<IconSettings size={18} aria-hidden />}
          onClick={onNavigate}
        />
        {user.isOperator ? (
          <NavLink
            component={Link}
            to={paths.operator}
            label="Subscription Data Viewer"
            leftSection={<IconTable size={18} aria-hidden />}
            onClick={onNavigate}
          />
        ) : null}
        <NavLink
          component="button"
          type="button"
          label="Logout"
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => void logOut()}
        />
      </Collapse>
      <UnstyledButton w="100%" p="xs" onClick={toggle} aria-expanded={isOpen}>
        <Group gap="sm" wrap="nowrap">
          <Portrait imageUrl={user.imageUrl} initial={name.charAt(0).toUpperCase()} />
          <Box flex={1} miw={0}>
            <Text size="sm" fw={500} truncate>
              <VisuallyHidden>Account of </VisuallyHidden>
              {name}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {user.email}
            </Text>
          </Box>
          {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
        </Group>
      </UnstyledButton>
    </Box>
  )
}
