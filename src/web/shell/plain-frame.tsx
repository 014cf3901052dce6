import { Box, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { AddressProblem } from './address-problem.tsx'
import { Mark } from './logo.tsx'
import { SimulationBanner } from './simulation-banner.tsx'

/** Frames pages without a sidebar: the strip of a simulation and the mark at the top, and the rest of the window for the page. */
export function PlainFrame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <Stack mih="100dvh" gap={0}>
      <SimulationBanner />
      <Box component="header" px="md" pt="md">
        <Mark />
      </Box>
      <AddressProblem m="md" mb={0} />
      {children}
    </Stack>
  )
}
