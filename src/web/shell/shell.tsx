import { AppShell, Burger, Drawer, Group, ScrollArea, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { productName, titleOf } from '../paths.ts'
import { useAbout } from '../queries/session.ts'
import { PageSpinner } from '../ui/page-spinner.tsx'
import { AddressProblem } from './address-problem.tsx'
import { MrrMeter } from './mrr-meter.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { RecountBanner } from './recount-banner.tsx'
import classes from './shell.module.css'
import { bannerHeight, isSimulated, SimulationBanner } from './simulation-banner.tsx'
import { UserBlock } from './user-block.tsx'

const headerHeight = 56

/** Shows the sidebar, the header and the screen. */
export function Shell() {
  const { pathname } = useLocation()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const { data: about } = useAbout()
  const stripHeight = isSimulated(about) ? bannerHeight : 0
  const title = titleOf(pathname)
  return (
    <AppShell
      header={{ height: headerHeight + stripHeight }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
    >
      <title>{title === productName ? productName : `${title} · ${productName}`}</title>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <SimulationBanner />
        <Group h={headerHeight} px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isDrawerOpen}
            onClick={drawer.open}
            hiddenFrom="sm"
            size="sm"
            aria-label="Open navigation"
          />
          <Title order={1} fz={{ base: 'md', sm: 'h4' }} lineClamp={1}>
            {title}
          </Title>
          <MrrMeter />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom="sm">
        <Sidebar onNavigate={drawer.close} />
      </AppShell.Navbar>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        title={productName}
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

function Sidebar({ onNavigate }: { onNavigate: () => void }) {
  return (
    <Stack h="100%" gap={0}>
      <ScrollArea flex={1} p="xs" viewportProps={{}}>
        <Navigation onNavigate={onNavigate} />
      </ScrollArea>
      <UserBlock onNavigate={onNavigate} />
    </Stack>
  )
}
