import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { centsOfDecimal, decimalOfCents } from '#domain/currency.ts'
import type { FilterField } from './filter-field.ts'
import { labelled } from './filter-groups.tsx'

type AmountInputProps = {
  label: string
  span: FilterField['span']
  currency: string
  /** Whether it may be below 0: the number pads of phones have no minus. */
  isSigned: boolean
  /** Whole minor units, as the address has them; '' where none is set. */
  text: string
  /** Says why no row can meet the amount beside the list's other filters. */
  problem: string | undefined
  onChange: (text: string, history: 'push' | 'replace') => void
}

const pauseMs = 500

/**
 * A field for an amount in major units. It applies after a short pause, on Enter, or when the focus leaves it. What is no
 * amount stays in the field, with what to write in its place.
 */
export function AmountInput(props: AmountInputProps) {
  const { label, span, currency, isSigned, text, problem, onChange } = props
  const majorOf = (minor: string) => (minor === '' ? '' : decimalOfCents(Number(minor), currency))
  const [typed, setTyped] = useState(majorOf(text))
  const [isWrong, setWrong] = useState(false)
  const [shown, setShown] = useState(text)
  const [sent, setSent] = useState(text)
  // A chip, Back or a view changes the filter; the address that this field sent must not replace what is typed since.
  if (shown !== text) {
    setShown(text)
    if (text !== sent) {
      setTyped(majorOf(text))
      setWrong(false)
      setSent(text)
    }
  }
  const amount = typed.trim() === '' ? '' : centsOfDecimal(typed, currency)
  const settle = () => {
    setWrong(amount === null)
    if (amount === null || String(amount) === sent) return
    setSent(String(amount))
    // Each pause within an amount replaces the address, so that Back leads to the list before it.
    onChange(String(amount), sent === '' || amount === '' ? 'push' : 'replace')
  }
  useEffect(() => {
    if (typed === majorOf(sent)) return undefined
    const pause = setTimeout(settle, pauseMs)
    return () => clearTimeout(pause)
  })
  return (
    <TextInput
      {...labelled(`${label} (${currency.toUpperCase()})`, span)}
      inputMode={isSigned ? 'text' : 'decimal'}
      maxLength={40}
      value={typed}
      error={isWrong ? `Write it like ${decimalOfCents(120_050, currency)}.` : problem}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        setWrong(false)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') settle()
      }}
      onBlur={settle}
    />
  )
}
