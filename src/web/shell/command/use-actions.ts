import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useDensity, useSingleKeys } from '../../components/frame/preferences.ts'
import { useAbout } from '../../queries/session.ts'
import { deeds } from './places.ts'
import { useLogOut } from './use-log-out.ts'

/** `place` tells apart what has the same title. */
export type Action = { title: string; place?: string; also?: string; key?: string; act: () => void }

/** What the menu can do for a person: lead to where something is done, or change how the product looks. */
export function useActions(onHelp: () => void): Action[] {
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const [areSingleKeysOn] = useSingleKeys()
  const logOut = useLogOut()
  const outboxUrl = useAbout().data?.outboxUrl
  const schemes = [
    { title: 'Use the light theme', scheme: 'light' },
    { title: 'Use the dark theme', scheme: 'dark' },
    { title: "Use the system's theme", scheme: 'auto' },
  ] as const
  const other = density === 'compact' ? 'comfortable' : 'compact'
  return [
    ...deeds.map(({ path, ...deed }) => ({ ...deed, act: () => void navigate(path) })),
    ...schemes
      .filter(({ scheme }) => scheme !== colorScheme)
      .map(({ title, scheme }) => ({ title, also: 'mode colors', act: () => setColorScheme(scheme) })),
    { title: `Use ${other} rows`, also: 'density', act: () => setDensity(other) },
    {
      title: 'Keyboard shortcuts',
      also: 'keys help',
      ...(areSingleKeysOn && { key: '?' }),
      act: onHelp,
    },
    ...(outboxUrl ? [{ title: 'Outbox', also: 'mail emails sent', act: () => openBeside(outboxUrl) }] : []),
    { title: 'Logout', also: 'sign out', act: () => void logOut() },
  ]
}

/** Opens a page beside the app in its own tab. */
function openBeside(url: string): void {
  window.open(url, '_blank', 'noopener')
}
