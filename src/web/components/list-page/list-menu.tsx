import { Button, Popover, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'

type ListMenuProps = {
  label: string
  /** The text of its button, where it says more than the label. */
  text?: string | undefined
  icon: ReactNode
  width: number
  position: 'bottom-start' | 'bottom-end'
  /** Gets what closes the panel, for a choice that ends it. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

const room = 8
/** Where the end of what stays at the foot of the panel is, behind its padding. */
const foot = { '--panel-foot': 'calc(var(--mantine-spacing-sm) * -1)' }

/** A button of a list with a panel below or above it, which scrolls where the window is lower than all of it. */
export function ListMenu({ label, text = label, icon, width, position, children }: ListMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const closeOnEscape = ({ key, target }: KeyboardEvent) => {
    if (key === 'Escape' && !isExpanded(target)) close()
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={width}
      position={position}
      shadow="md"
      trapFocus
      withRoles
      closeOnEscape={false}
      middlewares={{ size: { padding: room } }}
    >
      <Popover.Target>
        <Button
          ref={opener}
          size="compact-sm"
          variant="default"
          leftSection={icon}
          maw={280}
          onClick={() => setOpen(!isOpen)}
        >
          <Text span inherit truncate>
            {text}
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        p="sm"
        aria-label={label}
        style={{ overflowY: 'auto', ...foot }}
        onKeyDown={closeOnEscape}
      >
        <Stack gap="xs">{typeof children === 'function' ? children(close) : children}</Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Whether the key belongs to a field whose own options are open: Escape closes these first. */
function isExpanded(target: EventTarget): boolean {
  return target instanceof Element && target.getAttribute('aria-expanded') === 'true'
}
