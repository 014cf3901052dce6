import { Box, Collapse, Group, NavLink, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useClickOutside, useDisclosure, useWindowEvent } from '@mantine/hooks'
import {
  IconBook2,
  IconChevronDown,
  IconChevronUp,
  IconKeyboard,
  IconLogout,
  IconSettings,
  IconTable,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { useCurrentUser } from '../queries/session.ts'
import { Portrait } from '../ui/portrait.tsx'
import { useAfterNavigation } from './command/use-after-navigation.ts'
import { useLogOut } from './command/use-log-out.ts'
import { Preferences } from './preferences.tsx'
import classes from './user-block.module.css'

/** Shows the signed-in person, with their preferences and links to their account and to sign out. */
export function UserBlock({ onNavigate, onHelp }: { onNavigate: () => void; onHelp: () => void }) {
  const { data: user } = useCurrentUser()
  const { isOpen, toggle, close, opener, ref } = useUnfolded()
  const logOut = useLogOut()
  if (user === undefined) return null
  const showKeys = () => {
    // The entry is folded away, and the dialog gives the focus back.
    opener.current?.focus()
    close()
    onNavigate()
    onHelp()
  }
  const name = user.name.trim() || user.email.split('@')[0] || user.email
  return (
    <Box ref={ref} p="xs" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
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
          component={Link}
          to={paths.terms}
          label="Terms and Rules"
          leftSection={<IconBook2 size={18} aria-hidden />}
          onClick={onNavigate}
        />
        <NavLink
          component="button"
          type="button"
          label="Keyboard shortcuts"
          className="for-keys"
          leftSection={<IconKeyboard size={18} aria-hidden />}
          onClick={showKeys}
        />
        <NavLink
          component="button"
          type="button"
          label="Logout"
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => void logOut()}
        />
      </Collapse>
      <UnstyledButton ref={opener} w="100%" p="xs" onClick={toggle} aria-expanded={isOpen}>
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

/** Folds the block again on Escape, on a click or focus elsewhere, and on another screen. */
function useUnfolded() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const opener = useRef<HTMLButtonElement>(null)
  // Only after a click has ended, or by a key: what is above the menu moves, and what moves below a pointer takes no click.
  const ref = useClickOutside<HTMLDivElement>(close, ['click'])
  useAfterNavigation(close)
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen) return
    if (ref.current?.contains(document.activeElement)) opener.current?.focus()
    close()
  })
  useWindowEvent('focusin', ({ target }) => {
    if (target instanceof Element && !ref.current?.contains(target) && target.matches(':focus-visible'))
      close()
  })
  return { isOpen, toggle, close, opener, ref }
}
