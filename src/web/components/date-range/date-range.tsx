import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type Ref, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { isDay, rangeNames } from '#domain/date-range.ts'
import { AddressNote } from '../address/left-out-note.tsx'
import { rangeLabels, rangeText } from './range-words.ts'
import type { DateRangeControls } from './use-date-range.ts'

type DateRangeProps = { controls: DateRangeControls; canCompare?: boolean }

/** Chooses the days that a screen shows, and whether they are compared with the period before. */
export function DateRange({ controls, canCompare = true }: DateRangeProps) {
  const { choice, days, before, isCompared, problem, text } = controls
  const [isOpen, setIsOpen] = useState(false)
  const notComparedId = useId()
  const isTyped = text.from !== null || text.to !== null
  const chosen = problem === null ? choice.name : null
  return (
    <Stack gap="xs" component="section" aria-label="Date range">
      <Group gap={6}>
        {rangeNames.map((name) => (
          <Button
            key={name}
            component={Link}
            to={controls.queryOf({ name })}
            preventScrollReset
            size="compact-sm"
            variant={chosen === name ? 'light' : 'default'}
            aria-current={chosen === name ? 'true' : undefined}
            onClick={() => setIsOpen(false)}
          >
            {rangeLabels[name]}
          </Button>
        ))}
        <Button
          size="compact-sm"
          variant={chosen === 'custom' ? 'light' : 'default'}
          aria-expanded={isOpen || isTyped}
          onClick={() => setIsOpen(!isOpen)}
        >
          Custom
        </Button>
        {canCompare ? (
          <Checkbox
            size="xs"
            display="flex"
            mih={26}
            style={{ alignItems: 'center' }}
            label="Compare with the period before"
            checked={isCompared}
            disabled={before === null}
            aria-describedby={before === null ? notComparedId : undefined}
            onChange={(event) => controls.compare(event.currentTarget.checked)}
          />
        ) : null}
      </Group>
      {isOpen || isTyped ? <CustomDays key={`${text.from} ${text.to}`} controls={controls} /> : null}
      {problem === null ? null : (
        <AddressNote text={`${problem} ${rangeText(days)} is shown instead.`} onRemove={controls.forget} />
      )}
      <Text size="xs" c="dimmed">
        {rangeText(days)}
        {isCompared && before !== null ? `, compared with ${rangeText(before)}` : ''}. Days are in UTC.
        {canCompare && before === null ? (
          <span id={notComparedId}> All time has no period before.</span>
        ) : null}
      </Text>
    </Stack>
  )
}

/** Two days to type or pick. What was typed stays until it can be shown. */
function CustomDays({ controls }: { controls: DateRangeControls }) {
  const { days, text, problem } = controls
  const [from, setFrom] = useState(text.from ?? days.from ?? '')
  const [to, setTo] = useState(text.to ?? days.to ?? '')
  const [wrong, setWrong] = useState<{ end: 'first' | 'last'; reason: string } | null>(null)
  const ends = { first: useRef<HTMLInputElement>(null), last: useRef<HTMLInputElement>(null) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = wrongEnd()
    setWrong(found)
    if (found === null) controls.showDays(from.trim(), to.trim())
    else ends[found.end].current?.focus()
  }
  const wrongEnd = () => {
    // The browser gives a day without its year as no text, which would mean no limit.
    for (const end of ['first', 'last'] as const)
      if (ends[end].current?.validity.badInput) return { end, reason: 'The day is not complete.' }
    const isBackwards = isDay(from.trim()) && isDay(to.trim()) && from.trim() > to.trim()
    return isBackwards ? { end: 'last' as const, reason: 'This is before the first day.' } : null
  }
  const errorOf = (end: 'first' | 'last') => (wrong?.end === end ? wrong.reason : problem !== null)
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-start">
        <DayInput
          label="First day"
          given={text.from}
          value={from}
          onChange={setFrom}
          error={errorOf('first')}
          ref={ends.first}
        />
        <DayInput
          label="Last day"
          given={text.to}
          value={to}
          onChange={setTo}
          error={errorOf('last')}
          ref={ends.last}
        />
        <Button type="submit" variant="default" mt={25}>
          Show these days
        </Button>
      </Group>
    </form>
  )
}

type DayInputProps = {
  label: string
  given: string | null
  value: string
  onChange: (value: string) => void
  error: string | boolean
  ref: Ref<HTMLInputElement>
}

/** A field with the browser's calendar. A text that is no day needs a plain field, since a calendar cannot show it. */
function DayInput({ label, given, value, onChange, error, ref }: DayInputProps) {
  return (
    <TextInput
      type={given === null || given === '' || isDay(given) ? 'date' : 'text'}
      label={label}
      value={value}
      error={error}
      ref={ref}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
