import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { OutboxLink } from '../../../components/sign-in/outbox-link.tsx'
import { dataOf, identity } from '../../../identity/identity.ts'
import { useAbout } from '../../../queries/session.ts'
import { StartButton } from '../../../ui/buttons/start-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { useFieldErrors } from '../../../ui/use-field-errors.ts'

/** Asks for another email address. Nothing changes before the mailboxes of both have confirmed. */
export function ChangeEmail({ email, onClose }: { email: string; onClose: () => void }) {
  const [given, setGiven] = useState({ newEmail: '', password: '' })
  const ask = useMutation({
    mutationFn: () =>
      dataOf(
        identity.$fetch<object>('/change-email', {
          method: 'POST',
          body: { newEmail: given.newEmail.trim(), password: given.password },
        }),
        'The change could not be started. Please try again.',
      ),
  })
  const { form, areRight, errors, refuseNamed } = useFieldErrors({
    newEmail: 'your new email address',
    password: 'your password',
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (!areRight(fields)) return
    ask.mutate(undefined, {
      onError: ({ message }) => {
        if (refuseNamed(message, fields)) ask.reset()
      },
    })
  }
  const set = (field: keyof typeof given) => (event: { currentTarget: { value: string } }) =>
    setGiven({ ...given, [field]: event.currentTarget.value })
  return (
    <Dialog opened onClose={onClose} title="Change email address">
      {ask.data === undefined ? (
        <form {...form} onSubmit={submit}>
          <Stack>
            <Text>
              First we ask at {email}, then at the new address. Until both confirm, nothing changes.
            </Text>
            {ask.error === null ? null : (
              <Alert color="red" role="alert">
                {ask.error.message}
              </Alert>
            )}
            <TextInput
              label="New email address"
              name="newEmail"
              error={errors.newEmail}
              type="email"
              autoComplete="email"
              data-autofocus
              required
              maxLength={254}
              value={given.newEmail}
              onChange={set('newEmail')}
            />
            <PasswordField
              label="Password"
              name="password"
              error={errors.password}
              autoComplete="current-password"
              required
              value={given.password}
              onChange={set('password')}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <StartButton type="submit" isBusy={ask.isPending}>
                Continue
              </StartButton>
            </Group>
          </Stack>
        </form>
      ) : (
        <LinkSent to={email} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** Says where the link went, and where to read it in the simulated mode. */
export function LinkSent({ to, onClose }: { to: string; onClose: () => void }) {
  const outboxUrl = useAbout().data?.outboxUrl
  return (
    <Stack>
      <Text role="status">
        We sent a link to <strong>{to}</strong>. Open it in a browser where you are signed in. It is valid for
        one hour.
      </Text>
      <Group justify="flex-end" gap="lg">
        <OutboxLink url={outboxUrl} />
        <Button autoFocus onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
