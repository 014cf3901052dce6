import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A field for a password or another secret. Where it is wrong, it also says so to a screen reader, as other fields do. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput {...props} {...(props.error && { 'aria-invalid': true })} />
}

/** What a field asks for that takes a new password; the server refuses any other. */
export const asNewPassword = {
  description: 'At least 10 characters.',
  autoComplete: 'new-password',
  required: true,
  minLength: 10,
  maxLength: 128,
} as const
