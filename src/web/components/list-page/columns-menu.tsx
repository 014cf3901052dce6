import { Button, Checkbox } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Column } from './column.ts'
import { ListMenu } from './list-menu.tsx'
import { allColumns } from './shown-columns.ts'

type ColumnsMenuProps<T> = {
  columns: readonly Column<T>[]
  shown: readonly Column<T>[]
  /** Gets the columns as the address has them. */
  onChange: (columns: string) => void
}

/** Chooses the columns of a list. A column that is added comes last. */
export function ColumnsMenu<T>({ columns, shown, onChange }: ColumnsMenuProps<T>) {
  const names: string[] = shown.map(({ accessor }) => accessor)
  const toggle = (name: string, isWanted: boolean) =>
    onChange((isWanted ? [...names, name] : names.filter((one) => one !== name)).join(','))
  return (
    <ListMenu label="Columns" icon={<IconColumns3 size={14} aria-hidden />} width={260} position="bottom-end">
      <Button size="compact-sm" variant="default" onClick={() => onChange(allColumns)}>
        All columns
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
        First columns only
      </Button>
      {columns.map(({ accessor, title }) => (
        <Checkbox
          key={accessor}
          label={title}
          checked={names.includes(accessor)}
          // A list without columns would show nothing.
          disabled={names.length === 1 && names[0] === accessor}
          onChange={(event) => toggle(accessor, event.currentTarget.checked)}
        />
      ))}
    </ListMenu>
  )
}
