import { Button, Popover, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

type ListMenuProps = {
  label: string
  icon: ReactNode
  width: number
  position: 'bottom-start' | 'bottom-end'
  children: ReactNode
}

const room = 8

/** A button of a list with a panel below or above it, which scrolls where the window is lower than all of it. */
export function ListMenu({ label, icon, width, position, children }: ListMenuProps) {
  return (
    <Popover
      width={width}
      position={position}
      shadow="md"
      trapFocus
      withRoles
      middlewares={{ size: { padding: room } }}
    >
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={icon}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} style={{ overflowY: 'auto' }}>
        <Stack gap="xs">{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
