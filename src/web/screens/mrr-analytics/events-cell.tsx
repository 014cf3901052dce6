import { Anchor, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useListAddress } from '../../components/list-page/list-address.ts'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'

type EventsCellProps = {
  /** The events of the figure; null when there are none, undefined when exchange rates made it too. */
  to: string | null | undefined
  /** Names the figure. */
  label: string
  /** What the link lists. */
  lists?: Listed
  children: ReactNode
}

type Listed = 'Events' | 'Customers'

/** A figure that opens its events; one without events is a dash. */
export function EventsCell({ to, label, lists, children }: EventsCellProps) {
  return (
    <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {to === null ? (
        <Text span c="dimmed" inherit>
          –
        </Text>
      ) : (
        <EventsLink to={to} label={label} lists={lists}>
          {children}
        </EventsLink>
      )}
    </Table.Td>
  )
}

type EventsLinkProps = {
  to: string | undefined
  label: string
  lists?: Listed | undefined
  children: ReactNode
}

/** Links a figure to its events or customers, which lead back to this screen. */
export function EventsLink({ to, label, lists = 'Events', children }: EventsLinkProps) {
  const from = useListAddress()
  if (to === undefined) return children
  return (
    <Anchor component={Link} to={to} state={from} inherit c="inherit" title={`${lists}: ${label}`}>
      {children}
    </Anchor>
  )
}

type RowNameProps = {
  /** What is to say below the name. */
  note?: string | undefined
  children: ReactNode
}

/** A row's name, which stays in view while the row scrolls. On a phone it leaves room for two amounts. */
export function RowName({ note, children }: RowNameProps) {
  const isNarrow = useIsNarrow()
  const room = isNarrow ? { w: '24vw' } : { w: 'max-content', maw: 170 }
  return (
    <Table.Th scope="row" fw={500} style={{ position: 'sticky', left: 0, background: 'var(--surface)' }}>
      <Text span inherit lineClamp={2} {...room} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      {note === undefined ? null : (
        <Text size="xs" c="dimmed" {...room} style={{ whiteSpace: 'normal' }}>
          {note}
        </Text>
      )}
    </Table.Th>
  )
}
