import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import type { ListControls } from '../use-list-state.ts'
import { AmountInput } from './amount-input.tsx'
import { type FilterField, textOfValues, valuesOf } from './filter-field.ts'

type FilterInputsProps = { controls: ListControls; fields: readonly FilterField[] }

/** A field for each filter that a person can set. A choice applies at once. */
export function FilterInputs({ controls: { state, change }, fields }: FilterInputsProps) {
  return fields
    .filter(({ kind }) => kind !== 'id' && kind !== 'month')
    .map((field) => (
      <FilterInput
        key={field.name}
        field={field}
        text={state.filters[field.name] ?? ''}
        problem={problemOf(field, state.filters)}
        onChange={(text, history) => change({ filters: { [field.name]: text } }, history)}
      />
    ))
}

/** Says why an amount leaves no row: it is below the least one. */
function problemOf({ name, kind }: FilterField, filters: Readonly<Record<string, string>>) {
  const [least, most] = [filters[name.replace(/To$/, 'From')], filters[name]]
  if (kind !== 'amount' || least === undefined || most === undefined) return undefined
  return Number(most) < Number(least) ? 'This is below the least amount, so nothing can match.' : undefined
}

type FilterInputProps = {
  field: FilterField
  text: string
  problem: string | undefined
  onChange: (text: string, history?: 'push' | 'replace') => void
}

function FilterInput({ field, text, problem, onChange }: FilterInputProps) {
  const { label, kind, options, currency, note, isSigned = false } = field
  if (kind === 'amount')
    return currency === undefined ? null : (
      <AmountInput {...{ label, currency, isSigned, note, text, problem, onChange }} />
    )
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
