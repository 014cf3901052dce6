import { Badge, Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type ConnectionCardProps = {
  name: string
  isConnected: boolean
  /** Whether the provider no longer accepts our key or tokens. */
  isRefused: boolean
  /** Stands in the corner of the card, for what is rarely done. */
  menu: ReactNode
  /** Whether a person comes back from the provider's own page, so that the keyboard goes on here. */
  takesFocus?: boolean
  children: ReactNode
}

/** Shows one provider and whether it is connected. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { name, isConnected, isRefused, menu, takesFocus = false, children } = props
  const [color, state] = isRefused
    ? ['red', 'Refused']
    : isConnected
      ? ['green', 'Connected']
      : ['gray', 'Not connected']
  return (
    <Card
      withBorder
      component="section"
      aria-label={name}
      {...(takesFocus && { tabIndex: -1, ref: takeFocus, style: { outline: 'none' } })}
    >
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {name}
          </Title>
          <Group gap="xs">
            <Badge variant="light" color={color}>
              {state}
            </Badge>
            {menu}
          </Group>
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

function takeFocus(card: HTMLElement | null): void {
  card?.focus()
}
