import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { OpenInvitation } from '#contract/organization.ts'
import { HostedButton } from '../../components/sign-in/hosted-button.tsx'
import { ClosedInvitationNote, InvitationNote, invitedChoice } from '../../components/sign-in/invitation.tsx'
import { MailSent } from '../../components/sign-in/mail-sent.tsx'
import { dataOf, failureText, identity, isWeakPassword } from '../../identity/identity.ts'
import { useConfirmedElsewhere } from '../../identity/use-confirmed-elsewhere.ts'
import { useHostedSignIn } from '../../identity/use-hosted-sign-in.ts'
import { paths, productLine, productName } from '../../paths.ts'
import { useAbout, useForgetSession, useInvitation } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { asNewPassword, PasswordField } from '../../ui/password-field.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'

const checkEmail = 'Check your email'

/** /sign-up creates an account, which the person confirms by a link in a mail. */
export function SignUpScreen() {
  const token = useSearchParams()[0].get('invitationId')
  const { invitation, isClosed, isPending } = useInvitation(token)
  if (isPending) return <PageSpinner />
  if (token === null || invitation === undefined)
    return <SignUp next={paths.setup} invitation={null} isClosed={isClosed} />
  return <SignUp next={invitedChoice(token)} invitation={invitation} isClosed={false} />
}

type SignUpProps = {
  /** Where the link of the mail leads, signed in. */
  next: string
  invitation: OpenInvitation | null
  /** Whether the link was that of an invitation that is no longer open. */
  isClosed: boolean
}

function SignUp({ next, invitation, isClosed }: SignUpProps) {
  const { data: about } = useAbout()
  const [mailedTo, setMailedTo] = useMailedTo()
  const [given, setGiven] = useState({ ...nothing, email: mailedTo ?? invitation?.email ?? '' })
  const [isCorrecting, setCorrecting] = useState(false)
  const [params, setParams] = useSearchParams()
  const correct = () => {
    setCorrecting(true)
    setMailedTo(null)
  }
  const forgetSession = useForgetSession()
  /** Once there is a session, this page leads to where its own address says. */
  const goOn = async () => {
    const state = mailedTo === null ? null : { mailedTo }
    setParams({ ...Object.fromEntries(params), redirectUrl: next }, { replace: true, state })
    await forgetSession()
  }
  useConfirmedElsewhere(mailedTo !== null, goOn)
  const sendAgain = async (email: string) => {
    await dataOf(
      identity.sendVerificationEmail({ email, callbackURL: next }),
      'The email could not be sent. Please try again.',
    )
  }
  return (
    <FormCard
      title={mailedTo === null ? `Sign up for ${productName}` : checkEmail}
      {...(mailedTo === null && { subtitle: productLine })}
    >
      <title>{`${mailedTo === null ? 'Sign up' : checkEmail} · ${productName}`}</title>
      {isClosed && mailedTo === null ? <ClosedInvitationNote /> : null}
      {invitation === null || mailedTo !== null ? null : <InvitationNote invitation={invitation} />}
      {about?.hostedIdentity ? (
        <HostedSignUp name={about.hostedIdentity} next={next} />
      ) : mailedTo === null ? (
        <SignUpForm
          next={next}
          onSignedIn={goOn}
          isInvited={invitation !== null}
          isCorrecting={isCorrecting}
          given={given}
          onChange={setGiven}
          onMailed={setMailedTo}
        />
      ) : (
        <MailSent
          outboxUrl={about?.outboxUrl ?? null}
          onSendAgain={() => sendAgain(mailedTo)}
          onCorrect={correct}
        >
          We sent a link to <strong>{mailedTo}</strong>. Open it to confirm your address and sign in.
        </MailSent>
      )}
      <Text size="sm">
        Already have an account?{' '}
        <Anchor component={Link} to={invitation === null ? paths.signIn : next} size="sm" underline="always">
          Sign in
        </Anchor>
      </Text>
    </FormCard>
  )
}

/** The address that a link went to. The browser keeps it with this page, so that a reload still says so. */
function useMailedTo() {
  const navigate = useNavigate()
  const { state, search } = useLocation()
  const mailedTo = typeof state?.mailedTo === 'string' ? state.mailedTo : null
  const setMailedTo = (email: string | null) =>
    void navigate({ search }, { replace: true, state: email === null ? null : { mailedTo: email } })
  return [mailedTo, setMailedTo] as const
}

/** A hosted provider offers its own sign-up behind its sign-in. */
function HostedSignUp({ name, next }: { name: string; next: string }) {
  const { start, isBusy, failure } = useHostedSignIn(next)
  return <HostedButton name={name} failure={failure} isBusy={isBusy} onStart={() => void start()} />
}

const nothing = { name: '', email: '', password: '' }

type SignUpFormProps = {
  next: string
  onSignedIn: () => Promise<void>
  /** An invitation is good for its address alone. */
  isInvited: boolean
  /** Whether the person came back to change the address. */
  isCorrecting: boolean
  /** Kept above the form, so that a wrong address can be corrected after the mail. */
  given: typeof nothing
  onChange: (given: typeof nothing) => void
  onMailed: (email: string) => void
}

function SignUpForm(props: SignUpFormProps) {
  const { next, onSignedIn, isInvited, isCorrecting, given, onChange, onMailed } = props
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { form, areRight, errors, refuse, refuseNamed } = useFieldErrors({
    name: 'your name',
    email: 'your email address',
    password: 'a password',
  })
  const set = (field: keyof typeof given) => (event: { currentTarget: { value: string } }) =>
    onChange({ ...given, [field]: event.currentTarget.value })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (!areRight(fields)) return
    setBusy(true)
    setFailure(null)
    const email = given.email.trim()
    const { data, error } = await identity.signUp.email({
      name: given.name.trim(),
      email,
      password: given.password,
      callbackURL: next,
    })
    setBusy(false)
    if (error !== null) {
      const text = failureText(error, 'Sign-up failed. Please try again.')
      if (isWeakPassword(error)) return refuse('password', text, fields)
      return refuseNamed(text, fields) ? undefined : setFailure(text)
    }
    // Without a token, the person still has to confirm the address.
    if (data.token === null) return onMailed(email)
    await onSignedIn()
  }
  return (
    <form {...form} onSubmit={(event) => void submit(event)}>
      <Stack>
        {failure === null ? null : (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          autoFocus={!isCorrecting}
          required
          error={errors.name}
          value={given.name}
          onChange={set('name')}
        />
        <TextInput
          label="Email"
          description={
            isInvited
              ? 'The address of your invitation.'
              : 'Your work address: it decides which organization you belong to.'
          }
          readOnly={isInvited}
          name="email"
          type="email"
          autoFocus={isCorrecting}
          error={errors.email}
          autoComplete="email"
          required
          value={given.email}
          onChange={set('email')}
        />
        <PasswordField
          label="Password"
          name="password"
          error={errors.password}
          {...asNewPassword}
          value={given.password}
          onChange={set('password')}
        />
        <StartButton type="submit" isBusy={isBusy}>
          Sign up
        </StartButton>
      </Stack>
    </form>
  )
}
