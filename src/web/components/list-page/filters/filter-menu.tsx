import { Button, MultiSelect, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { ListControls } from '../use-list-state.ts'
import { type FilterField, textOfValues, valuesOf } from './filter-field.ts'

type FilterMenuProps = { controls: ListControls; fields: readonly FilterField[] }

/** Opens a form with every filter of a list. A choice applies at once. */
export function FilterMenu({ controls, fields }: FilterMenuProps) {
  return (
    <Popover width={320} position="bottom-start" shadow="md" trapFocus withRoles>
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconFilter size={14} aria-hidden />}>
          Filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters" mah="70vh" style={{ overflowY: 'auto' }}>
        <Stack gap="sm">
          {/* A field with options would open them as soon as it has the focus. */}
          <Text size="sm" fw={500} data-autofocus tabIndex={-1} style={{ outline: 'none' }}>
            Show only
          </Text>
          {fields
            .filter(({ kind }) => kind !== 'id' && kind !== 'month')
            .map((field) => (
              <FilterInput
                key={field.name}
                field={field}
                text={controls.state.filters[field.name] ?? ''}
                onChange={(text) => controls.change({ filters: { [field.name]: text } })}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

type FilterInputProps = { field: FilterField; text: string; onChange: (text: string) => void }

function FilterInput({ field, text, onChange }: FilterInputProps) {
  const { label, kind, options } = field
  if (kind === 'day')
    return (
      <TextInput
        type="date"
        label={label}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (kind === 'one')
    return (
      <NativeSelect
        label={label}
        value={text}
        data={[{ value: '', label: 'Any' }, ...options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  const values = valuesOf(text)
  // A value of the address may be one that no row has now.
  const others = values.filter((value) => !options.some((option) => option.value === value))
  return (
    <MultiSelect
      label={label}
      placeholder={values.length === 0 ? 'Any' : ''}
      value={values}
      data={[...options, ...others.map((value) => ({ value, label: value }))]}
      onChange={(chosen) => onChange(textOfValues(chosen))}
      searchable
      clearable
      comboboxProps={{ withinPortal: false }}
    />
  )
}
