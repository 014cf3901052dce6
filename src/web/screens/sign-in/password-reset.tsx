import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { MailSent } from '../../components/sign-in/mail-sent.tsx'
import { dataOf, identity, isWeakPassword } from '../../identity/identity.ts'
import { paths, productName } from '../../paths.ts'
import { useAbout } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { asNewPassword, PasswordField } from '../../ui/password-field.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { NoAccountYet } from './other-ways.tsx'

type ForgottenPasswordProps = { email: string; onEmail: (email: string) => void; onBack: () => void }

/** Requests the mail that replaces a forgotten password. Its link returns to /sign-in?token=. */
export function ForgottenPassword({ email, onEmail, onBack }: ForgottenPasswordProps) {
  const { data: about } = useAbout()
  const { state, run, again } = useOneCall()
  const { form, areRight, errors, refuseNamed } = useFieldErrors({ email: 'your email address' })
  const send = async () => {
    await dataOf(
      identity.requestPasswordReset({ email: email.trim(), redirectTo: paths.signIn }),
      'The email could not be sent. Please try again.',
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (areRight(fields)) void run(send, (text) => refuseNamed(text, fields))
  }
  if (state.kind === 'done') {
    return (
      <>
        <MailSent outboxUrl={about?.outboxUrl ?? null} onSendAgain={send} onCorrect={again}>
          If there is an account for <strong>{email.trim()}</strong>, we sent a link to choose a new password.
        </MailSent>
        <BackLink onBack={onBack} />
      </>
    )
  }
  return (
    <form {...form} onSubmit={submit}>
      <Stack>
        <Failure state={state} />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          autoFocus
          required
          error={errors.email}
          value={email}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        <StartButton type="submit" isBusy={state.kind === 'busy'}>
          Send a reset link
        </StartButton>
        <BackLink onBack={onBack} />
      </Stack>
    </form>
  )
}

/** Takes the new password, with the token of a reset mail. */
export function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const save = (newPassword: string) =>
    dataOf(
      identity.resetPassword({ newPassword, token }),
      'The password could not be saved. The link may have expired.',
    )
  return (
    <PasswordChoice
      title="Choose a new password"
      savedTitle="Password saved"
      saved="Sign in with your new password."
      onSave={save}
      onDone={onDone}
    />
  )
}

/** Takes the name and password of a sign-up whose link was opened in another browser. */
export function CompleteSignUp({ token, onDone }: { token: string; onDone: () => void }) {
  const [name, setName] = useState('')
  const save = (newPassword: string) =>
    dataOf(
      identity.$fetch('/sign-up/complete', {
        method: 'POST',
        body: { token, newPassword, ...(name.trim() !== '' && { name: name.trim() }) },
      }),
      'The password could not be saved. The link may have expired.',
    )
  return (
    <PasswordChoice
      title="Verify your address"
      intro={
        <Text size="sm">
          You opened the link in another browser than the one you signed up in. Choose a password here; then
          your address is verified and you can sign in. If you did not sign up, close this page.
        </Text>
      }
      savedTitle="Address verified"
      saved="Your address is verified and your password is saved. Sign in with it."
      onSave={save}
      onDone={onDone}
    >
      <TextInput
        label="Name"
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </PasswordChoice>
  )
}

type PasswordChoiceProps = {
  title: string
  intro?: ReactNode
  /** The fields above the password. */
  children?: ReactNode
  /** What stands in place of title and fields once it is saved. */
  savedTitle: string
  saved: string
  onSave: (newPassword: string) => Promise<unknown>
  onDone: () => void
}

function PasswordChoice({ title, savedTitle, saved, onDone, ...form }: PasswordChoiceProps) {
  const { state, run } = useOneCall()
  const isDone = state.kind === 'done'
  return (
    <FormCard title={isDone ? savedTitle : title}>
      <title>{`${isDone ? savedTitle : title} · ${productName}`}</title>
      {isDone ? (
        <Stack gap="xs" role="status">
          <Text>{saved}</Text>
          <Button onClick={onDone}>Sign in</Button>
        </Stack>
      ) : (
        <>
          <PasswordChoiceForm {...form} state={state} run={run} />
          <NoAccountYet />
        </>
      )}
    </FormCard>
  )
}

type PasswordChoiceFormProps = Omit<PasswordChoiceProps, 'title' | 'savedTitle' | 'saved' | 'onDone'> & {
  state: CallState
  run: ReturnType<typeof useOneCall>['run']
}

function PasswordChoiceForm({ intro, children, onSave, state, run }: PasswordChoiceFormProps) {
  const [password, setPassword] = useState('')
  const { form, areRight, errors, refuse } = useFieldErrors({ password: 'a new password' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (!areRight(fields)) return
    void run(
      () => onSave(password),
      (text, isWeak) => {
        if (isWeak) refuse('password', text, fields)
        return isWeak
      },
    )
  }
  return (
    <form {...form} onSubmit={submit}>
      <Stack>
        {intro}
        <Failure state={state} />
        {children}
        <PasswordField
          label="New password"
          name="password"
          autoFocus
          error={errors.password}
          {...asNewPassword}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <StartButton type="submit" isBusy={state.kind === 'busy'}>
          Save the new password
        </StartButton>
      </Stack>
    </form>
  )
}

function BackLink({ onBack }: { onBack: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" ta="start" onClick={onBack}>
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
  const again = () => setState({ kind: 'idle' })
  /** `atField` says whether it has put a refusal at its field; `isWeak` that of a weak password. */
  const run = async (make: () => Promise<unknown>, atField: (text: string, isWeak: boolean) => boolean) => {
    setState({ kind: 'busy' })
    try {
      await make()
      setState({ kind: 'done' })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      setState(atField(text, isWeakPassword(error)) ? { kind: 'idle' } : { kind: 'failed', text })
    }
  }
  return { state, run, again }
}
