import { ActionIcon, type ActionIconProps, Button, type ButtonProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ReactNode, type Ref, useRef } from 'react'
import { useOff } from './use-off.tsx'
import { useRefuge } from './use-refuge.ts'

type Own = {
  /** Cannot be pressed now. */
  isOff?: boolean
  onClick?: (() => void) | undefined
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}
type StartButtonProps = Own &
  Omit<ButtonProps, 'loading' | 'disabled'> & {
    /** What it started goes on. It shows so, and cannot be pressed. */
    isBusy?: boolean
    type?: 'submit'
    autoFocus?: boolean
  }
type StartIconProps = Own & Omit<ActionIconProps, 'loading' | 'disabled'> & { 'aria-label': string }

/** Starts work, and is off or busy at times. Whatever becomes of it, the keyboard does not lose its place. */
export function StartButton({ isOff = false, isBusy, onClick, ref, ...rest }: StartButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const merged = useMergedRef(button, ref)
  const off = useOff(isOff || isBusy === true, onClick)
  useRefuge(button)
  return (
    <Button
      {...rest}
      {...(isBusy !== undefined && { loading: isBusy, 'aria-busy': isBusy })}
      {...(isOff && { 'data-disabled': true })}
      {...off}
      ref={merged}
    />
  )
}

/** The same with a picture in place of a text. */
export function StartIcon({ isOff = false, onClick, ref, ...rest }: StartIconProps) {
  const button = useRef<HTMLButtonElement>(null)
  const merged = useMergedRef(button, ref)
  const off = useOff(isOff, onClick)
  useRefuge(button)
  return <ActionIcon {...rest} {...(isOff && { 'data-disabled': true })} {...off} ref={merged} />
}
