import { useState } from 'react'

/** The value as it was before it was held, so that nothing that shows it moves meanwhile. */
export function useStill<Value extends string | boolean | null>(value: Value, isHeld: boolean): Value {
  const [still, note] = useState(value)
  if (!isHeld && still !== value) note(value)
  return isHeld ? still : value
}
