import { MultiSelect, NativeSelect } from '@mantine/core'
import { Fragment } from 'react'
import type { ListControls } from '../use-list-state.ts'
import { AmountInput } from './amount-input.tsx'
import { DayInput } from './day-input.tsx'
import { type FilterField, otherEndOf, textOfValues, valuesOf } from './filter-field.ts'
import { FilterGroup, SpanLine } from './filter-groups.tsx'

type FilterInputsProps = { controls: ListControls; fields: readonly FilterField[] }

/** A field for each filter that a person can set, below the heading of its group. A choice applies at once. */
export function FilterInputs({ controls: { state, change }, fields }: FilterInputsProps) {
  const offered = fields.filter(
    ({ kind, currency }) =>
      kind !== 'id' && kind !== 'month' && (kind !== 'amount' || currency !== undefined),
  )
  const input = (field: FilterField) => (
    <FilterInput
      key={field.name}
      field={field}
      text={state.filters[field.name] ?? ''}
      problem={problemOf(field, state.filters)}
      otherEnd={state.filters[otherEndOf(field.name)?.name ?? ''] ?? ''}
      onChange={(text, history) => change({ filters: { [field.name]: text } }, history)}
    />
  )
  return [...Map.groupBy(offered, ({ group }) => group)].map(([group, own]) => {
    // Each field has its own key in one list: else one that comes later, such as an amount, would empty those after it.
    const lines = [...Map.groupBy(own, ({ name, span }) => span?.of ?? name)].flatMap(([of, ends]) =>
      ends[0]?.span === undefined ? (
        ends.map(input)
      ) : (
        <SpanLine key={of} of={of} currency={ends[0].currency} note={ends[0].note}>
          {ends.map(input)}
        </SpanLine>
      ),
    )
    return group === undefined ? (
      <Fragment key="">{lines}</Fragment>
    ) : (
      <FilterGroup key={group} title={group}>
        {lines}
      </FilterGroup>
    )
  })
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
  /** What the address has at the other end of the same span; '' for nothing. */
  otherEnd: string
  onChange: (text: string, history?: 'push' | 'replace') => void
}

function FilterInput({ field, text, problem, otherEnd, onChange }: FilterInputProps) {
  const { label, kind, options, currency, note, span, isSigned = false } = field
  if (kind === 'amount')
    return currency === undefined ? null : (
      <AmountInput {...{ label, currency, isSigned, span, text, problem, onChange }} />
    )
  if (kind === 'day') {
    const isLast = otherEndOf(field.name)?.isFirst === true
    return <DayInput {...{ label, span, text, otherEnd, isLast, onChange }} />
  }
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
      description={note}
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
