import { type ComponentPropsWithRef, type MouseEvent, useState } from 'react'

/**
 * What a button needs that is off at times. When that begins while it has the focus, it keeps it, so that the keyboard
 * does not lose its place.
 */
export function useOff(isOff: boolean, onClick: (() => void) | undefined) {
  const [isFocused, setFocused] = useState(false)
  return {
    'aria-disabled': isOff && isFocused,
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
    onClick: (event: MouseEvent) => {
      // A press would also submit the form around it.
      if (isOff) event.preventDefault()
      else onClick?.()
    },
    // The library would turn it off for real.
    renderRoot: (props: ComponentPropsWithRef<'button'>) => (
      <button {...props} disabled={isOff && !isFocused} />
    ),
  }
}
