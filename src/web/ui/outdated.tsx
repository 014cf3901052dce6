import { LoadingOverlay, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** Covers what an earlier choice brought, as lists do, until the answer of this one is there: it has other names above it. */
export function Outdated({ isOld, children }: { isOld: boolean; children: ReactNode }) {
  return (
    <Stack gap="sm" pos="relative" flex={1} aria-busy={isOld}>
      {children}
      <LoadingOverlay visible={isOld} zIndex={1} />
    </Stack>
  )
}
