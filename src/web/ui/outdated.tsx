import { LoadingOverlay, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

type OutdatedProps = {
  isOld: boolean
  /** Takes the height that its column leaves. On paper, rows at the end of a page would be lost by that. */
  grows?: boolean
  children: ReactNode
}

/** Covers what an earlier choice brought, as lists do, until the answer of this one is there: it has other names above it. */
export function Outdated({ isOld, grows = false, children }: OutdatedProps) {
  return (
    <Stack gap="sm" pos="relative" {...(grows && { flex: 1 })} aria-busy={isOld}>
      {children}
      <LoadingOverlay visible={isOld} zIndex={1} />
    </Stack>
  )
}
