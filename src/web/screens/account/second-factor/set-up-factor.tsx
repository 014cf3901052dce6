import { Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ownCodeFailureText } from '../../../identity/code-failure.ts'
import { dataOf, identity } from '../../../identity/identity.ts'
import { useRefreshUser } from '../../../queries/session.ts'
import { StartButton } from '../../../ui/buttons/start-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { useFieldErrors } from '../../../ui/use-field-errors.ts'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** What the server tells once: the key for the app, and the codes for the day when the app is lost. */
type Secrets = { totpURI: string; backupCodes: string[] }

/** Leads from the password over the code that confirms the app to the recovery codes. */
export function SetUpFactor({ email, onClose }: { email: string; onClose: () => void }) {
  const refreshUser = useRefreshUser()
  const [secrets, setSecrets] = useState<Secrets | null>(null)
  const [isConfirmed, setConfirmed] = useState(false)
  const finish = async () => {
    await refreshUser()
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={isConfirmed ? () => void finish() : onClose}
      title="Set up two-factor authentication"
      // A click beside the dialog, or Escape, must not lose codes that are shown once.
      closeOnClickOutside={secrets === null}
      closeOnEscape={secrets === null}
    >
      {secrets === null ? (
        <PasswordStep onSecrets={setSecrets} />
      ) : isConfirmed ? (
        <RecoveryCodes codes={secrets.backupCodes} email={email} onDone={() => void finish()} />
      ) : (
        <AppStep totpURI={secrets.totpURI} onConfirmed={() => setConfirmed(true)} />
      )}
    </Dialog>
  )
}

function PasswordStep({ onSecrets }: { onSecrets: (secrets: Secrets) => void }) {
  const [password, setPassword] = useState('')
  const begin = useMutation({
    mutationFn: () =>
      dataOf(
        identity.$fetch<Secrets>('/two-factor/enable', { method: 'POST', body: { password } }),
        'The setup could not be started. Please try again.',
      ),
    onSuccess: onSecrets,
  })
  const { form, areRight, errors } = useFieldErrors({ password: 'your password' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (areRight(event.currentTarget)) begin.mutate()
  }
  return (
    <form {...form} onSubmit={submit}>
      <Stack>
        <Text>
          You need an authenticator app, such as one of those that phones and password managers have.
        </Text>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          data-autofocus
          required
          error={errors.password ?? begin.error?.message}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <StartButton type="submit" isBusy={begin.isPending}>
            Continue
          </StartButton>
        </Group>
      </Stack>
    </form>
  )
}

function AppStep({ totpURI, onConfirmed }: { totpURI: string; onConfirmed: () => void }) {
  const [code, setCode] = useState('')
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  const confirm = useMutation({
    mutationFn: async () => {
      const { error } = await identity.$fetch('/two-factor/verify-totp', {
        method: 'POST',
        body: { code: code.trim() },
      })
      if (error !== null) throw new Error(ownCodeFailureText(error))
    },
    onSuccess: onConfirmed,
  })
  const { form, areRight, errors } = useFieldErrors({ code: 'the code' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (areRight(event.currentTarget)) confirm.mutate()
  }
  return (
    <form {...form} onSubmit={submit}>
      <Stack>
        <Text>
          Scan this with your authenticator app, or enter the key there. If the app is on this device, open
          it.
        </Text>
        <QrCode text={totpURI} label="QR code with the key for your authenticator app" />
        <div>
          <Text size="sm" fw={500}>
            Key
          </Text>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
            {key.match(/.{1,4}/g)?.join(' ')}
          </Code>
          <Group gap="xs" mt="xs">
            <CopyButton value={key}>
              {({ copied, copy }) => (
                <Button variant="default" size="xs" onClick={copy}>
                  {copied ? 'Copied' : 'Copy the key'}
                </Button>
              )}
            </CopyButton>
            <Button component="a" href={totpURI} variant="default" size="xs">
              Open in your authenticator
            </Button>
          </Group>
        </div>
        <TextInput
          label="Code"
          name="code"
          description="The six digits that the app shows. Only then does the second step count."
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
          maxLength={40}
          error={errors.code ?? confirm.error?.message}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <StartButton type="submit" isBusy={confirm.isPending}>
            Turn on
          </StartButton>
        </Group>
      </Stack>
    </form>
  )
}
