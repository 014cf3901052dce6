import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, type Ref, useState } from 'react'

type StartButtonProps = ButtonProps & {
  isOff: boolean
  onClick: () => void
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** Starts work. When it turns off while it has the focus, it keeps it, so that the keyboard does not lose its place. */
export function StartButton({ isOff, onClick, ...rest }: StartButtonProps) {
  const [isFocused, setFocused] = useState(false)
  return (
    <Button
      {...rest}
      disabled={isOff && !isFocused}
      aria-disabled={isOff && isFocused}
      {...(isOff && { 'data-disabled': true })}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onClick={isOff ? undefined : onClick}
    />
  )
}
