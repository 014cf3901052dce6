import { AppShell, Box, Burger, Drawer, Group, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { PageNameHost } from '../components/frame/page-name.tsx'
import { listOf, paths, productName, titleOf } from '../paths.ts'
import { useAbout } from '../queries/session.ts'
import { PageSpinner } from '../ui/page-spinner.tsx'
import { AddressProblem } from './address-problem.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { Logo } from './logo.tsx'
import { MrrMeter } from './mrr-meter.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { OrganizationSwitch } from './organization-switch.tsx'
import { RecountBanner } from './recount-banner.tsx'
import classes from './shell.module.css'
import { bannerHeight, isSimulated, SimulationBanner } from './simulation-banner.tsx'
import { SyncLine } from './sync-line.tsx'
import { UserBlock } from './user-block.tsx'

const headerHeight = 56
const sidebarWidth = 248

/** Shows the sidebar, the header and the screen. */
export function Shell() {
  return (
    <PageNameHost>
      <Frame />
    </PageNameHost>
  )
}

function Frame() {
  const { pathname } = useLocation()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const { data: about } = useAbout()
  const stripHeight = isSimulated(about) ? bannerHeight : 0
  const title = titleOf(pathname)
  const list = listOf(pathname)
  return (
    <AppShell
      header={{ height: headerHeight + stripHeight }}
      navbar={{ width: sidebarWidth, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
    >
      <title>{title === productName ? productName : `${title} · ${productName}`}</title>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <SimulationBanner />
        <Group h={headerHeight} px="md" gap="md" wrap="nowrap">
          <Burger
            opened={isDrawerOpen}
            onClick={drawer.open}
            hiddenFrom="sm"
            size="sm"
            aria-label="Open navigation"
          />
          <Brand />
          <Box miw={0}>
            {list === undefined ? null : <Breadcrumb list={list} />}
            <Title order={1} fz={{ base: 'md', sm: 'h4' }} lineClamp={1}>
              {title}
            </Title>
          </Box>
          <MrrMeter />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom="sm">
        <Sidebar onNavigate={drawer.close} />
      </AppShell.Navbar>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        title={<Mark />}
        size={280}
        hiddenFrom="sm"
        classNames={{ content: classes['drawer'] ?? '', body: classes['drawerBody'] ?? '' }}
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <Sidebar onNavigate={drawer.close} />
      </Drawer>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Stack>
          <RecountBanner />
          <AddressProblem />
          <OfflineNotice />
          <Suspense fallback={<PageSpinner />}>
            <Outlet />
          </Suspense>
        </Stack>
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  )
}

function Mark() {
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <Logo />
      <Text span fw={700} fz="lg">
        {productName}
      </Text>
    </Group>
  )
}

/** Stands in the header on top of the sidebar; on a phone, the drawer has it. */
function Brand() {
  return (
    <Box
      w={sidebarWidth}
      h="100%"
      ml="calc(var(--mantine-spacing-md) * -1)"
      visibleFrom="sm"
      className={classes['brand'] ?? ''}
    >
      <Link to={paths.dashboard} className={classes['home'] ?? ''}>
        <Mark />
      </Link>
    </Box>
  )
}

function Sidebar({ onNavigate }: { onNavigate: () => void }) {
  return (
    <Stack h="100%" gap={0}>
      <OrganizationSwitch onNavigate={onNavigate} />
      <ScrollArea flex={1} p="xs" viewportProps={{}}>
        <Navigation onNavigate={onNavigate} />
      </ScrollArea>
      <SyncLine onNavigate={onNavigate} />
      <UserBlock onNavigate={onNavigate} />
    </Stack>
  )
}
