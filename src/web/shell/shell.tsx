import { AppShell, Box, Button, Drawer, Group, Kbd, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useId, useRef } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { PageNameHost } from '../components/frame/page-name.tsx'
import { placeOf } from '../components/list-page/list-address.ts'
import { parentOf, paths, productName, titleOf } from '../paths.ts'
import { useRefreshAfter } from '../queries/records.ts'
import { useAbout, useCurrentUser } from '../queries/session.ts'
import { useSyncState } from '../queries/sync-status.ts'
import { useClock } from '../ui/clock.ts'
import { formatDay } from '../ui/dates.ts'
import { PageSpinner } from '../ui/page-spinner.tsx'
import { AddressProblem } from './address-problem.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { useAfterNavigation } from './command/use-after-navigation.ts'
import { type ShellContext, useCommands } from './command/use-commands.tsx'
import { ImportBanner } from './import-banner.tsx'
import { Mark } from './logo.tsx'
import { MrrMeter } from './mrr-meter.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { OrganizationSwitch } from './organization-switch.tsx'
import { RecountBanner } from './recount-banner.tsx'
import classes from './shell.module.css'
import { bannerHeight, isSimulated, SimulationBanner } from './simulation-banner.tsx'
import { NavigationButton, SyncLine } from './sync-line.tsx'
import { useFocusOnNewScreen } from './use-focus-on-new-screen.ts'
import { useFocusOnWayBack } from './use-focus-on-way-back.ts'
import { UserBlock } from './user-block.tsx'

const headerHeight = 56
const sidebarWidth = 248
/** On a narrower screen, a tablet held upright too, the content needs its room, and the sidebar is a drawer. */
const sidebarFrom = 'md'
const searchKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

type ShellProps = {
  /** The title of a screen that its address does not name. */
  title?: string
}

/** Shows the sidebar, the header and the screen. */
export function Shell(props: ShellProps) {
  return (
    <PageNameHost>
      <Frame {...props} />
    </PageNameHost>
  )
}

function Frame({ title: given }: ShellProps) {
  const { pathname } = useLocation()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const { data: about } = useAbout()
  const { openMenu, openHelp, dialogs } = useCommands()
  const stripHeight = isSimulated(about) ? bannerHeight : 0
  const title = given ?? titleOf(pathname)
  const parent = given === undefined ? parentOf(pathname) : undefined
  const isSetup = pathname.startsWith(paths.setup)
  const content = useRef<HTMLElement>(null)
  const titleId = useId()
  useFocusOnNewScreen(content)
  useFocusOnWayBack(content)
  useAfterNavigation(drawer.close)
  const sync = useSyncState()
  useRefreshAfter(sync?.state === 'running', sync?.lastCompletedAt)
  return (
    <AppShell
      header={{ height: headerHeight + stripHeight }}
      navbar={{ width: sidebarWidth, breakpoint: sidebarFrom, collapsed: { mobile: true } }}
      padding="md"
    >
      <title>{title === productName ? productName : `${title} · ${productName}`}</title>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <SimulationBanner />
        <Group h={headerHeight} px="md" gap="md" wrap="nowrap">
          <NavigationButton isOpen={isDrawerOpen} onOpen={drawer.open} hiddenFrom={sidebarFrom} />
          <Brand />
          <Box miw={0}>
            {parent === undefined ? null : <Breadcrumb path={parent} />}
            <Title order={1} id={titleId} fz={{ base: 'md', sm: 'h4' }} lineClamp={1}>
              {title}
            </Title>
            <PrintedFor />
          </Box>
          {/* The wizard has nothing to match before its sync. */}
          {isSetup ? null : <MrrMeter />}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom={sidebarFrom}>
        <Sidebar onNavigate={drawer.close} onSearch={openMenu} onHelp={openHelp} />
      </AppShell.Navbar>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        title={<Mark />}
        size={280}
        hiddenFrom={sidebarFrom}
        classNames={{ content: classes['drawer'] ?? '', body: classes['drawerBody'] ?? '' }}
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <Sidebar onNavigate={drawer.close} onSearch={openMenu} onHelp={openHelp} />
      </Drawer>
      <AppShell.Main
        ref={content}
        id="content"
        tabIndex={-1}
        aria-labelledby={titleId}
        style={{ outline: 'none' }}
      >
        <Stack>
          <RecountBanner />
          {isSetup ? null : <ImportBanner />}
          <AddressProblem />
          <OfflineNotice />
          <Suspense fallback={<PageSpinner />}>
            <Outlet context={{ openMenu } satisfies ShellContext} />
          </Suspense>
        </Stack>
      </AppShell.Main>
      {dialogs}
      <ScrollRestoration getKey={placeOf} />
    </AppShell>
  )
}

/** Says on paper whose figures these are, and of which day. */
function PrintedFor() {
  const now = useClock()
  const { data: user } = useCurrentUser()
  const name = user?.organization?.name
  return (
    <Text size="sm" className="printed-only">
      {name === undefined ? '' : `${name}, `}
      {formatDay(now().toISOString())}
    </Text>
  )
}

/** Stands in the header on top of the sidebar; on a phone, the drawer has it. */
function Brand() {
  return (
    <Box
      w={sidebarWidth}
      h="100%"
      ml="calc(var(--mantine-spacing-md) * -1)"
      visibleFrom={sidebarFrom}
      className={`not-printed ${classes['brand'] ?? ''}`}
    >
      <Link to={paths.dashboard} className={classes['home'] ?? ''}>
        <Mark />
      </Link>
    </Box>
  )
}

type SidebarProps = { onNavigate: () => void; onSearch: () => void; onHelp: () => void }

function Sidebar({ onNavigate, onSearch, onHelp }: SidebarProps) {
  const search = () => {
    onNavigate()
    onSearch()
  }
  return (
    <Stack h="100%" gap={0}>
      <OrganizationSwitch onNavigate={onNavigate} />
      <Box px="xs" pt={6}>
        <Button
          fullWidth
          variant="default"
          fw={400}
          styles={{ label: { flexGrow: 1 } }}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            <Kbd size="xs" className="for-keys">
              {searchKey}
            </Kbd>
          }
          aria-keyshortcuts="Meta+K Control+K"
          onClick={search}
        >
          Search
        </Button>
      </Box>
      <ScrollArea flex={1} p="xs" viewportProps={{}}>
        <Navigation onNavigate={onNavigate} />
      </ScrollArea>
      <SyncLine onNavigate={onNavigate} />
      <UserBlock onNavigate={onNavigate} onHelp={onHelp} />
    </Stack>
  )
}
