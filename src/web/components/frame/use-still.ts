import { useState } from 'react'

/** Keeps the last value while it is held, so that what shows it does not move. */
export function useStill<Value extends string | boolean | null>(value: Value, isHeld: boolean): Value {
  const [still, note] = useState(value)
  if (!isHeld && still !== value) note(value)
  return isHeld ? still : value
}
