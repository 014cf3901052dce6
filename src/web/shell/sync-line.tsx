import { Anchor, Box, Burger, Group, Text, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link, useLocation } from 'react-router'
import { getSyncState, type SyncState } from '#contract/sync.ts'
import { endpointKey } from '../client.ts'
import { counted } from '../components/counted.ts'
import { refusedText } from '../components/runs/refused-text.ts'
import { paths } from '../paths.ts'
import { useCurrentUser } from '../queries/session.ts'
import { useSyncState } from '../queries/sync-status.ts'
import { useOnline } from '../ui/online.ts'
import { formatAgo, formatFullInstant } from '../ui/time/ago.ts'
import { useNow } from '../ui/time/now.ts'

/** `to` is the screen that says more, if not Sync History. */
type Line = { color: 'green' | 'yellow' | 'red' | 'blue' | 'gray'; text: string; to?: string }

type NavigationButtonProps = { isOpen: boolean; onOpen: () => void; hiddenFrom: string }

/** A sync that ended longer ago is no longer called good. */
const agedMs = 86_400_000

/** Says at the bottom of the sidebar how old the last sync is, and leads to where more is said. */
export function SyncLine({ onNavigate }: { onNavigate: () => void }) {
  const { line, at } = useLine()
  useAskedPerScreen()
  // The place is kept while the answer is on its way.
  return (
    <Box px="md" h={32} style={{ borderTop: '1px solid var(--mantine-color-default-border)', flexShrink: 0 }}>
      {line === undefined ? null : (
        <Tooltip
          label={
            at === null ? 'Nothing has been synced yet' : `Last import or sync: ${formatFullInstant(at)}`
          }
          events={{ hover: true, focus: true, touch: false }}
        >
          <Anchor
            component={Link}
            to={line.to ?? paths.syncHistory}
            c="inherit"
            size="xs"
            onClick={onNavigate}
          >
            <Group gap="xs" h={32} wrap="nowrap" component="span">
              <Mark color={line.color} />
              <Text span inherit truncate>
                {line.text}
              </Text>
            </Group>
          </Anchor>
        </Tooltip>
      )}
    </Box>
  )
}

/** A dot, and arrows while something runs. */
function Mark({ color }: Pick<Line, 'color'>) {
  const shade = `var(--mantine-color-${color}-6)`
  if (color === 'blue')
    return (
      <IconRefresh
        aria-hidden
        data-state="running"
        size={14}
        color={shade}
        style={{ flexShrink: 0, marginInline: -3 }}
      />
    )
  return (
    <Box component="span" aria-hidden w={8} h={8} bg={shade} style={{ borderRadius: '50%', flexShrink: 0 }} />
  )
}

/** Opens the sidebar where it is a drawer. A dot tells of what its line would say, while that needs somebody. */
export function NavigationButton({ isOpen, onOpen, hiddenFrom }: NavigationButtonProps) {
  const { data: user } = useCurrentUser()
  const { line, at } = useLine()
  // Before the first sync, the wizard says what is left to do.
  const isUsed = user?.setupComplete === true || at !== null
  const isTold = line?.color === 'red' || (line?.color === 'yellow' && isUsed)
  return (
    <Box pos="relative" hiddenFrom={hiddenFrom} className="not-printed">
      <Burger
        opened={isOpen}
        onClick={onOpen}
        size="sm"
        aria-label={isTold ? `Open navigation, ${line.text}` : 'Open navigation'}
      />
      {isTold ? (
        <Box
          aria-hidden
          data-state={line.color}
          w={10}
          h={10}
          pos="absolute"
          top={0}
          right={0}
          bg={`var(--mantine-color-${line.color}-6)`}
          bd="2px solid var(--surface)"
          style={{ borderRadius: '50%', boxSizing: 'content-box', pointerEvents: 'none' }}
        />
      ) : null}
    </Box>
  )
}

/** The line, once it is known, and when the last import or sync ended. */
function useLine(): { line: Line | undefined; at: string | null } {
  const data = useSyncState()
  const now = useNow()
  const isOnline = useOnline()
  return { line: data && (isOnline ? lineOf(data, now) : offline), at: data?.lastCompletedAt ?? null }
}

/** Asks again when a screen is opened. A timer, unless a run goes on, would keep a forgotten session from ending. */
function useAskedPerScreen(): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const ask = useEffectEvent((_pathname: string) =>
    client.refetchQueries({ queryKey: endpointKey(getSyncState), type: 'active', stale: true }),
  )
  useEffect(() => void ask(pathname), [pathname])
}

const offline: Line = { color: 'gray', text: 'Offline, state not known' }

/** Says that no sync comes by itself, and leads to what can be done about it. */
const unscheduled = {
  paused: { color: 'yellow', text: 'Setup not finished', to: paths.setup },
  off: { color: 'yellow', text: 'Automatic sync is off', to: paths.dataSync },
} as const

/** The whole of a line has to fit the sidebar. */
const unscheduledInShort = { paused: 'paused', off: 'sync off' } as const

function lineOf(sync: SyncState, now: Date): Line {
  const { state, lastCompletedAt, automatic } = sync
  switch (state) {
    case 'not_connected':
      return { color: 'yellow', text: 'Not connected' }
    case 'no_hubspot':
      return { color: 'yellow', text: 'HubSpot not connected' }
    case 'no_stripe':
      return { color: 'yellow', text: 'Stripe not connected' }
    case 'undecided':
      return { color: 'yellow', text: 'HubSpot account not confirmed' }
    case 'objects_missing':
      return { color: 'yellow', text: 'HubSpot objects are missing' }
    case 'imported':
      return { color: 'yellow', text: 'Imported, not in HubSpot yet' }
    case 'never':
      return { color: 'yellow', text: 'Not synced yet' }
    case 'refused':
      return {
        color: 'red',
        text: sync.refused.length > 1 ? 'Both connections are refused' : refusedText(sync.refused),
      }
    case 'failed':
      return { color: 'red', text: 'The last sync failed' }
    case 'reconnected':
      return { color: 'yellow', text: 'Reconnected, not synced yet' }
    case 'running':
      return { color: 'blue', text: sync.running === 'import' ? 'Import in progress' : 'Sync in progress' }
    case 'waiting': {
      const waiting = `${counted(sync.waitingRecords, 'record')} ${sync.waitingRecords === 1 ? 'waits' : 'wait'}`
      if (automatic !== 'on')
        return { ...unscheduled[automatic], text: `${waiting}, ${unscheduledInShort[automatic]}` }
      return { color: 'gray', text: waiting, to: paths.syncHealth }
    }
    case 'incomplete':
      return { color: 'yellow', text: 'Synced, some records failed', to: paths.syncHealth }
    case 'synced': {
      if (automatic !== 'on') return unscheduled[automatic]
      const isAged = lastCompletedAt !== null && now.getTime() - Date.parse(lastCompletedAt) > agedMs
      const ago = lastCompletedAt === null ? '' : ` ${formatAgo(lastCompletedAt, now)}`
      return { color: isAged ? 'yellow' : 'green', text: `Synced${ago}` }
    }
  }
}
