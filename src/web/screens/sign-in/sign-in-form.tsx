import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { HostedButton } from '../../components/sign-in/hosted-button.tsx'
import { OutboxLink } from '../../components/sign-in/outbox-link.tsx'
import type { SignInStep } from '../../components/sign-in/sign-in-step.ts'
import { failureText, identity } from '../../identity/identity.ts'
import { useConfirmedElsewhere } from '../../identity/use-confirmed-elsewhere.ts'
import { type HostedSignIn, useHostedPopup, useHostedSignIn } from '../../identity/use-hosted-sign-in.ts'
import { useAbout } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { CodeForm } from './code-form.tsx'
import { ForgottenPassword } from './password-reset.tsx'

export type SignInFormProps = {
  step: SignInStep
  onStep: (step: SignInStep) => void
  /** The verification mail and the hosted sign-in return to this path. */
  returnTo: string
  onSignedIn: () => Promise<void>
  /** The address of the person who probably signs in. */
  knownEmail?: string
  /** Other ways in, above and below the form. They are gone once the right password was given. */
  above?: ReactNode
  below?: ReactNode
  /** The page behind must stay, so a hosted provider opens in its own window. */
  isOverPage?: boolean
}

/** Signs in through the hosted provider if there is one, otherwise by email and password. */
export function SignInForm(props: SignInFormProps) {
  const { step, onStep, onSignedIn } = props
  // Kept above the steps, so that nobody types the address twice.
  const [email, setEmail] = useState(props.knownEmail ?? '')
  const toPassword = () => onStep('password')
  if (step === 'code') return <CodeForm onSignedIn={onSignedIn} onStartAgain={toPassword} />
  if (step === 'forgotten') return <ForgottenPassword email={email} onEmail={setEmail} onBack={toPassword} />
  return (
    <>
      {props.above}
      <FirstStep {...props} email={email} onEmail={setEmail} />
      {props.below}
    </>
  )
}

function FirstStep(props: PasswordFormProps) {
  const { data: about } = useAbout()
  const hosted = about?.hostedIdentity ?? null
  if (hosted !== null)
    return props.isOverPage ? <InPopup name={hosted} {...props} /> : <InThisWindow name={hosted} {...props} />
  return (
    <>
      <PasswordForm {...props} />
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => props.onStep('forgotten')}>
        Forgot your password?
      </Anchor>
    </>
  )
}

type HostedProps = SignInFormProps & { name: string }

function InThisWindow({ name, returnTo }: HostedProps) {
  return <Hosted name={name} signIn={useHostedSignIn(returnTo)} />
}

function InPopup({ name, onSignedIn }: HostedProps) {
  return <Hosted name={name} signIn={useHostedPopup(onSignedIn)} />
}

function Hosted({ name, signIn }: { name: string; signIn: HostedSignIn }) {
  const { start, isBusy, failure } = signIn
  return <HostedButton name={name} failure={failure} isBusy={isBusy} onStart={() => void start()} />
}

function FailureAlert({ text }: { text: string }) {
  return (
    <Alert color="red" role="alert">
      {text}
    </Alert>
  )
}

/** `email` is the address that a link went to, which may since have been corrected in its field. */
type Outcome = { kind: 'failed'; text: string } | { kind: 'unverified' | 'mailed'; email: string } | null

type PasswordFormProps = SignInFormProps & { email: string; onEmail: (email: string) => void }

function PasswordForm(props: PasswordFormProps) {
  const { returnTo, onSignedIn, knownEmail = '', isOverPage, email, onEmail, onStep } = props
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>(null)
  // Over a page, that looks by itself, since only its owner may go on.
  const isMailed = outcome?.kind === 'unverified' || outcome?.kind === 'mailed'
  useConfirmedElsewhere(isMailed && isOverPage !== true, onSignedIn)
  const { form, areRight, errors, refuseNamed } = useFieldErrors({
    email: 'your email address',
    password: 'your password',
  })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (!areRight(fields)) return
    setBusy(true)
    const told = await signInWithPassword({ email: email.trim(), password, returnTo })
    setOutcome(told?.kind === 'failed' && refuseNamed(told.text, fields) ? null : told)
    setBusy(false)
  }
  const signInWithPassword = async (given: { email: string; password: string; returnTo: string }) => {
    const { data, error } = await identity.signIn.email({
      email: given.email,
      password: given.password,
      // With an address, the library would send the whole window there.
      ...(isOverPage ? {} : { callbackURL: given.returnTo }),
    })
    if (error === null) {
      if (asksForCode(data)) onStep('code')
      else await onSignedIn()
      return null
    }
    if (error.code === 'EMAIL_NOT_VERIFIED') return { kind: 'unverified', email: given.email } as const
    return { kind: 'failed', text: failureText(error, 'Sign-in failed. Please try again.') } as const
  }
  const sendAgain = async () => {
    const to = email.trim()
    const { error } = await identity.sendVerificationEmail({ email: to, callbackURL: returnTo })
    setOutcome(
      error === null
        ? { kind: 'mailed', email: to }
        : { kind: 'failed', text: failureText(error, 'The email could not be sent. Please try again.') },
    )
  }
  return (
    <form {...form} onSubmit={(event) => void submit(event)}>
      <Stack>
        <OutcomeAlert outcome={outcome} onSendAgain={() => void sendAgain()} />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          autoFocus={email === ''}
          required
          error={errors.email}
          value={email}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          error={errors.password}
          autoComplete="current-password"
          required
          autoFocus={email !== '' && email !== knownEmail}
          data-autofocus={knownEmail === '' ? undefined : true}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <StartButton type="submit" isBusy={isBusy}>
          Sign in
        </StartButton>
      </Stack>
    </form>
  )
}

/** The answer to the right password of a person with a second factor. */
function asksForCode(data: object): boolean {
  return 'twoFactorRedirect' in data && data.twoFactorRedirect === true
}

type OutcomeAlertProps = { outcome: Outcome; onSendAgain: () => void }

function OutcomeAlert({ outcome, onSendAgain }: OutcomeAlertProps) {
  const { data: about } = useAbout()
  if (outcome === null) return null
  if (outcome.kind === 'failed') return <FailureAlert text={outcome.text} />
  return (
    <Alert color="yellow" role="alert" title="Check your email">
      <Text size="sm">
        {outcome.kind === 'mailed'
          ? `We sent a new link to ${outcome.email}.`
          : `We sent a link to ${outcome.email}. Open it to confirm your address.`}
      </Text>
      {outcome.kind === 'unverified' ? (
        <Anchor component="button" type="button" size="sm" onClick={onSendAgain}>
          Send again
        </Anchor>
      ) : null}
      <div>
        <OutboxLink url={about?.outboxUrl} />
      </div>
    </Alert>
  )
}
