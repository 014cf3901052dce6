import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { dataOf, identity } from '../../identity/identity.ts'
import { paths } from '../../paths.ts'
import { useAbout } from '../../queries/session.ts'

/** Asks for the mail with which a forgotten password is replaced; its link comes back to /sign-in?token=. */
export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const { data: about } = useAbout()
  const [email, setEmail] = useState('')
  const { state, run } = useOneCall()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(() =>
      dataOf(
        identity.requestPasswordReset({ email: email.trim(), redirectTo: paths.signIn }),
        'The mail could not be sent. Please try again.',
      ),
    )
  }
  if (state.kind === 'done') {
    return (
      <Stack gap="xs" role="status">
        <Text>If there is an account with this address, a link to a new password is on its way to it.</Text>
        {about?.outboxUrl ? <Anchor href={about.outboxUrl}>Open the outbox</Anchor> : null}
        <BackLink onBack={onBack} />
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Failure state={state} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={state.kind === 'busy'}>
          Send a reset link
        </Button>
        <BackLink onBack={onBack} />
      </Stack>
    </form>
  )
}

/** Takes the new password for the token of a reset mail. */
export function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState('')
  const { state, run } = useOneCall()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(() =>
      dataOf(
        identity.resetPassword({ newPassword: password, token }),
        'The password could not be saved. The link may have expired.',
      ),
    )
  }
  if (state.kind === 'done') {
    return (
      <Stack gap="xs" role="status">
        <Text>Your new password is saved.</Text>
        <Button onClick={onDone}>Sign in</Button>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Failure state={state} />
        <PasswordInput
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          required
          minLength={10}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={state.kind === 'busy'}>
          Save the new password
        </Button>
      </Stack>
    </form>
  )
}

function BackLink({ onBack }: { onBack: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      Back to sign-in
    </Anchor>
  )
}

type CallState = { kind: 'idle' } | { kind: 'busy' } | { kind: 'done' } | { kind: 'failed'; text: string }

function Failure({ state }: { state: CallState }) {
  if (state.kind !== 'failed') return null
  return (
    <Alert color="red" role="alert">
      {state.text}
    </Alert>
  )
}

function useOneCall() {
  const [state, setState] = useState<CallState>({ kind: 'idle' })
  const run = async (make: () => Promise<unknown>) => {
    setState({ kind: 'busy' })
    try {
      await make()
      setState({ kind: 'done' })
    } catch (error) {
      setState({ kind: 'failed', text: error instanceof Error ? error.message : String(error) })
    }
  }
  return { state, run }
}
