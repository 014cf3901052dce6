import { NumberInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { minorDigits } from '#domain/currency.ts'

type AmountInputProps = {
  label: string
  currency: string
  /** Whole minor units, as the address has them; '' where none is set. */
  text: string
  onChange: (text: string) => void
}

const pauseMs = 500
/** Major units; in minor ones it is below what the address takes. */
const amountMax = 1e11

/** A field for an amount in major units. It applies after a short pause, or when the focus leaves it. */
export function AmountInput({ label, currency, text, onChange }: AmountInputProps) {
  const scale = 10 ** minorDigits(currency)
  const majorOf = (minor: string) => (minor === '' ? '' : Number(minor) / scale)
  const [typed, setTyped] = useState<number | string>(majorOf(text))
  const [shown, setShown] = useState(text)
  const [sent, setSent] = useState(text)
  // A chip, Back or a view changes the filter; the address that this field sent must not replace what is typed since.
  if (shown !== text) {
    setShown(text)
    if (text !== sent) {
      setTyped(majorOf(text))
      setSent(text)
    }
  }
  const send = useDebouncedCallback((value: number | string) => {
    const minor = value === '' ? '' : String(Math.round(Number(value) * scale))
    // A sign alone is the beginning of an amount.
    if (minor === sent || minor === 'NaN') return
    setSent(minor)
    onChange(minor)
  }, pauseMs)
  return (
    <NumberInput
      label={`${label} (${currency.toUpperCase()})`}
      value={typed}
      decimalScale={minorDigits(currency)}
      thousandSeparator=","
      // A comma that a person types is never a decimal point: 1,200 is twelve hundred.
      allowedDecimalSeparators={['.']}
      hideControls
      isAllowed={({ floatValue }) => Math.abs(floatValue ?? 0) < amountMax}
      onChange={(value) => {
        setTyped(value)
        send(value)
      }}
      onBlur={() => send.flush()}
    />
  )
}
