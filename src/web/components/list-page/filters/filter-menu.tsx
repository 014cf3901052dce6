import { Text } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { ListMenu } from '../list-menu.tsx'
import type { ListControls } from '../use-list-state.ts'
import type { FilterField } from './filter-field.ts'
import { FilterInputs } from './filter-inputs.tsx'
import { ShownButton } from './shown-button.tsx'

type FilterMenuProps = {
  controls: ListControls
  fields: readonly FilterField[]
  /** What the filters leave: 'Show 305'. */
  shownText?: string | undefined
}

/** Opens a form with every filter of a list. A choice applies at once. */
export function FilterMenu({ controls, fields, shownText }: FilterMenuProps) {
  return (
    <ListMenu label="Filters" icon={<IconFilter size={14} aria-hidden />} width={340} position="bottom-start">
      {(close) => (
        <>
          {/* A field with options would open them as soon as it has the focus. */}
          <Text size="sm" fw={500} data-autofocus tabIndex={-1} style={{ outline: 'none' }}>
            Show only
          </Text>
          <FilterInputs controls={controls} fields={fields} />
          <ShownButton text={shownText} onClick={close} />
        </>
      )}
    </ListMenu>
  )
}
