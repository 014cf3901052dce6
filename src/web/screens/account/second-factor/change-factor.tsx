import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { dataOf, identity } from '../../../identity/identity.ts'
import { useCurrentUser, useRefreshUser } from '../../../queries/session.ts'
import { StartButton } from '../../../ui/buttons/start-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useFieldErrors } from '../../../ui/use-field-errors.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

const kinds = {
  disable: {
    title: 'Turn off two-factor authentication',
    text: 'The sign-in then asks for your password alone. Your recovery codes no longer work.',
    path: '/two-factor/disable',
    button: 'Turn off',
    color: 'red',
  },
  renew: {
    title: 'Make new recovery codes',
    text: 'You get ten new codes. The old ones no longer work.',
    path: '/two-factor/generate-backup-codes',
    button: 'Make new codes',
    color: 'cyan',
  },
} as const

/** Takes the password and a code, then turns the second factor off or shows new recovery codes. */
export function ChangeFactor({ kind, onClose }: { kind: keyof typeof kinds; onClose: () => void }) {
  const { title, text, path, button, color } = kinds[kind]
  const email = useCurrentUser().data?.email ?? ''
  const refreshUser = useRefreshUser()
  const toast = useToast()
  const [given, setGiven] = useState({ password: '', code: '' })
  const [codes, setCodes] = useState<string[] | null>(null)
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        identity.$fetch<{ backupCodes?: string[] }>(path, {
          method: 'POST',
          body: { password: given.password, code: given.code.trim() },
        }),
        'This could not be done. Please try again.',
      ),
    onSuccess: async ({ backupCodes }) => {
      await refreshUser()
      if (backupCodes) return setCodes(backupCodes)
      toast({ title: 'Two-factor authentication is off' })
      onClose()
    },
  })
  const { form, areRight, errors } = useFieldErrors({ password: 'your password', code: 'a code' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (areRight(event.currentTarget)) change.mutate()
  }
  const set = (field: keyof typeof given) => (event: { currentTarget: { value: string } }) =>
    setGiven({ ...given, [field]: event.currentTarget.value })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={codes === null}
      closeOnEscape={codes === null}
    >
      {codes === null ? (
        <form {...form} onSubmit={submit}>
          <Stack>
            <Text>{text}</Text>
            {change.error === null ? null : (
              <Alert color="red" role="alert">
                {change.error.message}
              </Alert>
            )}
            <PasswordField
              label="Password"
              name="password"
              error={errors.password}
              autoComplete="current-password"
              data-autofocus
              required
              value={given.password}
              onChange={set('password')}
            />
            <TextInput
              label="Code"
              name="code"
              error={errors.code}
              description="Of your authenticator app, or a recovery code."
              autoComplete="one-time-code"
              required
              maxLength={40}
              value={given.code}
              onChange={set('code')}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <StartButton type="submit" color={color} isBusy={change.isPending}>
                {button}
              </StartButton>
            </Group>
          </Stack>
        </form>
      ) : (
        <RecoveryCodes codes={codes} email={email} onDone={onClose} />
      )}
    </Dialog>
  )
}
