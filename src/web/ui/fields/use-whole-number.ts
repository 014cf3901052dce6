import { useRef, useState } from 'react'

type Bounds = { min: number; max: number; initial?: number }

/** A field that asks for a whole number: spread `field` on a NumberInput. What is wrong with it is said below it. */
export function useWholeNumber({ min, max, initial }: Bounds) {
  const [typed, setTyped] = useState<number | string>(initial ?? '')
  const [error, setError] = useState<string | null>(null)
  const ref = useRef<HTMLInputElement>(null)
  const written = String(typed).trim()
  const isNumber = /^\d+$/.test(written)
  const text = isNumber ? String(Number(written)) : written
  /** Returns the number. If there is none, returns null, says why and leads back to the field. */
  const take = (): string | null => {
    const isRight = isNumber && Number(text) >= min && Number(text) <= max
    setError(isRight ? null : `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}.`)
    if (isRight) return text
    ref.current?.focus()
    return null
  }
  const onChange = (value: number | string) => {
    setTyped(value)
    setError(null)
  }
  // Without bounds of its own, a NumberInput changes a wrong number silently when it is left. What is said below it does
  // not make it wider.
  const field = {
    ...{ ref, value: typed, onChange, error, min, max, allowDecimal: false, clampBehavior: 'none' },
    ...{ flex: '1 1 0', miw: 0, maw: 212 },
  }
  return { field: field as typeof field & { clampBehavior: 'none' }, text, take }
}
