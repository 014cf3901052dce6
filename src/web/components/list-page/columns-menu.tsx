import { ActionIcon, Button, Checkbox, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Column } from './column.ts'
import { ListMenu } from './list-menu.tsx'
import { allColumns } from './shown-columns.ts'

type ColumnsMenuProps<T> = {
  columns: readonly Column<T>[]
  shown: readonly Column<T>[]
  /** Gets the columns as the address has them. */
  onChange: (columns: string) => void
}

/** Chooses the columns of a list and their order: first the shown ones, then the others. A column that is added comes last. */
export function ColumnsMenu<T>({ columns, shown, onChange }: ColumnsMenuProps<T>) {
  const names: string[] = shown.map(({ accessor }) => accessor)
  const others = columns.filter(({ accessor }) => !names.includes(accessor))
  const choose = (chosen: string[]) => onChange(chosen.join(','))
  const pressed = useRef<HTMLElement>(null)
  const order = names.join(',')
  // What moves within the menu loses the focus on its way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pressed button moves when the order changes.
  useEffect(() => pressed.current?.focus(), [order])
  return (
    <ListMenu label="Columns" icon={<IconColumns3 size={14} aria-hidden />} width={300} position="bottom-end">
      <Button size="compact-sm" variant="default" onClick={() => onChange(allColumns)}>
        All columns
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
        Reset columns
      </Button>
      {[...shown, ...others].map(({ accessor, title }, place) => (
        <ColumnChoice
          key={accessor}
          title={title}
          place={place}
          shownCount={names.length}
          pressed={pressed}
          onToggle={(isWanted) =>
            choose(isWanted ? [...names, accessor] : names.filter((one) => one !== accessor))
          }
          onMove={(by) => choose(moved(names, place, by))}
        />
      ))}
    </ListMenu>
  )
}

type ColumnChoiceProps = {
  title: string
  /** The place in the menu, which shows the `shownCount` shown columns first. */
  place: number
  shownCount: number
  pressed: RefObject<HTMLElement | null>
  onToggle: (isWanted: boolean) => void
  onMove: (by: 1 | -1) => void
}

/** One column of the menu: whether it is shown, and buttons that move it. */
function ColumnChoice({ title, place, shownCount, pressed, onToggle, onMove }: ColumnChoiceProps) {
  const isShown = place < shownCount
  const moveButton = (by: 1 | -1, Icon: typeof IconArrowUp) => {
    const isAtEnd = place + by < 0 || place + by >= shownCount
    return (
      <ActionIcon
        variant="subtle"
        size="sm"
        aria-label={`Move ${title} ${by < 0 ? 'up' : 'down'}`}
        // A button that turns off would lose the focus.
        aria-disabled={isAtEnd}
        data-disabled={isAtEnd}
        onClick={({ currentTarget }) => {
          pressed.current = currentTarget
          if (!isAtEnd) onMove(by)
        }}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <Group gap={4} wrap="nowrap" justify="space-between" mih={22}>
      <Checkbox
        label={title}
        checked={isShown}
        // A list without columns would show nothing.
        disabled={isShown && shownCount === 1}
        onChange={(event) => {
          pressed.current = event.currentTarget
          onToggle(event.currentTarget.checked)
        }}
      />
      {isShown ? (
        <Group gap={2} wrap="nowrap">
          {moveButton(-1, IconArrowUp)}
          {moveButton(1, IconArrowDown)}
        </Group>
      ) : null}
    </Group>
  )
}

/** The names with the one at `place` moved by one. */
function moved(names: readonly string[], place: number, by: 1 | -1): string[] {
  const name = names[place]
  return name === undefined ? [...names] : names.toSpliced(place, 1).toSpliced(place + by, 0, name)
}
