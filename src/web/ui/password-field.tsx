import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A field for a password or another secret. Where it is wrong, it also says so to a screen reader, as other fields do. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput {...props} {...(props.error && { 'aria-invalid': true })} />
}
