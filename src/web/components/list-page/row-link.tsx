import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useListAddress } from './list-address.ts'

/** Adds a real link to a clickable row, for the keyboard and for opening in a new tab. */
export function RowLink({ to, children }: { to: string | null; children: ReactNode }) {
  const state = useListAddress()
  if (to === null) return <>{children}</>
  return (
    <Anchor component={Link} to={to} state={state} size="sm">
      {children}
    </Anchor>
  )
}
