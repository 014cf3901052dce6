import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isDay } from '#domain/date-range.ts'
import type { FilterField } from './filter-field.ts'
import { labelled } from './filter-groups.tsx'

type DayInputProps = {
  label: string
  span: FilterField['span']
  /** The day of the address; '' where none is set. */
  text: string
  /** The day at the other end of its span; '' where none is set. */
  otherEnd: string
  isLast: boolean
  onChange: (text: string, history: 'push' | 'replace') => void
}

const pauseMs = 500

/**
 * A field for a day. It applies after a short pause, on Enter, or when the focus leaves it: each digit of a typed year makes
 * another day. A day that cannot be stays in the field, with the reason.
 */
export function DayInput({ label, span, text, otherEnd, isLast, onChange }: DayInputProps) {
  const [typed, setTyped] = useState(text)
  const [isPartial, setPartial] = useState(false)
  const [isSettled, setSettled] = useState(true)
  const [shown, setShown] = useState(text)
  const [sent, setSent] = useState(text)
  // A chip, Back or a view changes the filter; the address that this field sent must not replace what is typed since.
  if (shown !== text) {
    setShown(text)
    if (text !== sent) {
      setTyped(text)
      setSent(text)
      // Without a day of the address, the browser still shows the part that was typed.
      if (text !== '') setPartial(false)
    }
  }
  const problem = isPartial ? 'The day is not complete.' : problemOf(typed, otherEnd, isLast)
  const settle = () => {
    setSettled(true)
    if (problem !== null || typed === sent) return
    setSent(typed)
    // Each pause within a day replaces the address, so that Back leads to the list before it.
    onChange(typed, sent === '' || typed === '' ? 'push' : 'replace')
  }
  useEffect(() => {
    if (isPartial || typed === sent) return undefined
    const pause = setTimeout(settle, pauseMs)
    return () => clearTimeout(pause)
  })
  return (
    <TextInput
      type="date"
      {...labelled(label, span)}
      value={typed}
      error={isSettled ? problem : null}
      onChange={({ currentTarget: { value, validity } }) => {
        setTyped(value)
        // The browser gives no text until day, month and year are there; without any, the field is empty.
        setPartial(validity.badInput)
        setSettled(false)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') settle()
      }}
      onBlur={settle}
    />
  )
}

function problemOf(typed: string, otherEnd: string, isLast: boolean): string | null {
  if (typed === '') return null
  if (!isDay(typed)) return 'Choose a day from 1970 to 2199.'
  if (otherEnd === '' || (isLast ? typed >= otherEnd : typed <= otherEnd)) return null
  return isLast ? 'This is before the first day.' : 'This is after the last day.'
}
