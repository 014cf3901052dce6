import { Badge, NavLink, VisuallyHidden } from '@mantine/core'
import {
  IconActivity,
  IconChartLine,
  IconLayoutDashboard,
  IconLink,
  IconRefresh,
  IconRepeat,
  IconUsers,
  IconWand,
} from '@tabler/icons-react'
import { NavLink as RouterNavLink, useLocation } from 'react-router'
import { paths } from '../paths.ts'
import { useCoverage } from '../queries/coverage.ts'
import { useCurrentUser } from '../queries/session.ts'

const setupEntry = { label: 'Setup Wizard', to: paths.setup, Icon: IconWand }

const entries = [
  { label: 'Dashboard', to: paths.dashboard, Icon: IconLayoutDashboard },
  { label: 'Customers', to: paths.customers, Icon: IconUsers },
  { label: 'Subscriptions', to: paths.subscriptions, Icon: IconRepeat },
  { label: 'Events', to: paths.events, Icon: IconActivity },
  { label: 'MRR Analytics', to: paths.mrrAnalytics, Icon: IconChartLine },
  { label: 'Match Review', to: paths.matchReview, Icon: IconLink },
  { label: 'Data Sync', to: paths.dataSync, Icon: IconRefresh },
]

/** Addresses that belong to an entry but do not begin with its address. */
const alsoUnder: Record<string, readonly string[]> = {
  [paths.dashboard]: [paths.dashboardByName],
  [paths.mrrAnalytics]: [paths.whatChanged, paths.terms],
  [paths.dataSync]: [
    paths.syncHistory,
    paths.syncErrors,
    paths.syncHealth,
    paths.hubspotObjects,
    paths.diagnostics,
  ],
}

function isUnder(pathname: string, to: string): boolean {
  const all = [to, ...(alsoUnder[to] ?? [])]
  return all.some(
    (path) => pathname === path || (path !== paths.dashboard && pathname.startsWith(`${path}/`)),
  )
}

/** How many customers wait in Match Review. */
function WaitingCount({ isOnChosen }: { isOnChosen: boolean }) {
  const { data: coverage } = useCoverage()
  const count = coverage?.pendingMatchCount ?? 0
  if (count === 0) return null
  return (
    <Badge variant="light" size="sm" {...(isOnChosen && { bg: 'var(--mantine-color-body)' })}>
      {count.toLocaleString('en-US')}
      <VisuallyHidden> to review</VisuallyHidden>
    </Badge>
  )
}

/** Shows the entries of the sidebar; the wizard only until the setup is complete. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { data: user } = useCurrentUser()
  const { pathname } = useLocation()
  const shown = user?.setupComplete === false ? [setupEntry, ...entries] : entries
  return (
    <nav aria-label="Main">
      {shown.map(({ label, to, Icon }) => (
        <NavLink
          key={to}
          component={RouterNavLink}
          to={to}
          end={to === paths.dashboard}
          label={label}
          leftSection={<Icon size={18} aria-hidden />}
          rightSection={
            to === paths.matchReview ? <WaitingCount isOnChosen={isUnder(pathname, to)} /> : undefined
          }
          active={isUnder(pathname, to)}
          onClick={onNavigate}
          style={{ borderRadius: 'var(--mantine-radius-sm)' }}
        />
      ))}
    </nav>
  )
}
