import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { centsOfDecimal, decimalOfCents } from '#domain/currency.ts'

type AmountInputProps = {
  label: string
  currency: string
  note: string | undefined
  /** Whole minor units, as the address has them; '' where none is set. */
  text: string
  /** Says why no row can meet the amount beside the list's other filters. */
  problem: string | undefined
  onChange: (text: string) => void
}

const pauseMs = 500

/**
 * A field for an amount in major units. It applies after a short pause, or when the focus leaves it. What is no amount
 * stays in the field, with what to write in its place.
 */
export function AmountInput({ label, currency, note, text, problem, onChange }: AmountInputProps) {
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
  const send = useDebouncedCallback((value: string) => {
    const wanted = value.trim()
    const amount = centsOfDecimal(wanted, currency)
    setWrong(wanted !== '' && amount === null)
    if (wanted !== '' && amount === null) return
    const minor = amount === null ? '' : String(amount)
    if (minor === sent) return
    setSent(minor)
    onChange(minor)
  }, pauseMs)
  return (
    <TextInput
      label={`${label} (${currency.toUpperCase()})`}
      description={note}
      inputMode="decimal"
      maxLength={40}
      value={typed}
      error={isWrong ? `Write it like ${decimalOfCents(120_050, currency)}.` : problem}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        send(value)
      }}
      onBlur={() => send.flush()}
    />
  )
}
