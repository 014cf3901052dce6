import { Button, Group, Paper, Stack } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { ShownButton } from './shown-button.tsx'

type PhoneFiltersProps = {
  /** What stands beside the button: other buttons of the list, and chips of what is set. */
  beside: ReactNode
  /** Opens the panel where something in it needs the person. */
  isOpenAnyway?: boolean
  /** What the filters leave: 'Show 305'. */
  shownText?: string
  children: ReactNode
}

/** The button above a list on a narrow screen that opens a panel with all that narrows, sorts or saves the list. */
export function PhoneFilters({ beside, isOpenAnyway = false, shownText, children }: PhoneFiltersProps) {
  const panelId = useId()
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || isOpenAnyway
  const toggle = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }
  return (
    <>
      <Group gap="xs">
        <Button
          ref={toggle}
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isShown}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          Filters
        </Button>
        {beside}
      </Group>
      <div id={panelId} hidden={!isShown}>
        {isShown ? (
          <Paper withBorder p="sm" component="section" aria-label="Filters">
            <Stack gap="sm">
              {children}
              {isOpenAnyway ? null : <ShownButton text={shownText} onClick={close} />}
            </Stack>
          </Paper>
        ) : null}
      </div>
    </>
  )
}
