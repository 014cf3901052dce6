import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useRefuge } from './buttons/use-refuge.ts'

type MoreMenuProps = {
  /** What the menu is about. */
  of: string
  /** The dangerous thing that it offers, which a dialog then asks about. */
  item?: string
  isDisabled?: boolean
  onChoose?: () => void
  /** Harmless items, which stand above it. */
  children?: ReactNode
}

/** Keeps what is seldom done, or cannot be undone, behind three dots. */
export function MoreMenu({ of, item, isDisabled = false, onChoose, children }: MoreMenuProps) {
  const opener = useRef<HTMLButtonElement>(null)
  useRefuge(opener)
  const choose = () => {
    // The dialog gives the focus back to what had it; the item is gone by then.
    opener.current?.focus()
    onChoose?.()
  }
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon ref={opener} variant="subtle" color="gray" aria-label={`More actions for ${of}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {item === undefined ? null : (
          <Menu.Item color="red" disabled={isDisabled} onClick={choose}>
            {item}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
