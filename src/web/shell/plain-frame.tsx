import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { AddressProblem } from './address-problem.tsx'
import { SimulationBanner } from './simulation-banner.tsx'

/** Around pages without a sidebar: the banner of a simulation above them, and all of the window for them to stand in. */
export function PlainFrame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <Stack mih="100dvh" gap={0}>
      <SimulationBanner m="md" mb={0} />
      <AddressProblem m="md" mb={0} />
      {children}
    </Stack>
  )
}
