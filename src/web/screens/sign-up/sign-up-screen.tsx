import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { HostedButton } from '../../components/hosted-button.tsx'
import { failureText, identity } from '../../identity/identity.ts'
import { useHostedSignIn } from '../../identity/use-hosted-sign-in.ts'
import { paths, productName } from '../../paths.ts'
import { useAbout, useForgetSession } from '../../queries/session.ts'
import { FormCard } from '../../ui/form-card.tsx'

const passwordLengthMin = 10

/** /sign-up creates an account, which the person confirms by a link in a mail. */
export function SignUpScreen() {
  const { data: about } = useAbout()
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  return (
    <FormCard title={mailedTo === null ? `Sign up for ${productName}` : 'Check your mail'}>
      <title>{`Sign up · ${productName}`}</title>
      {about?.hostedIdentity ? (
        <HostedSignUp name={about.hostedIdentity} />
      ) : mailedTo === null ? (
        <SignUpForm onMailed={setMailedTo} />
      ) : (
        <CheckYourMail email={mailedTo} outboxUrl={about?.outboxUrl ?? null} />
      )}
      <Text size="sm">
        Already have an account?{' '}
        <Anchor component={Link} to={paths.signIn} size="sm" underline="always">
          Sign in
        </Anchor>
      </Text>
    </FormCard>
  )
}

/** A hosted provider offers its own sign-up behind its sign-in. */
function HostedSignUp({ name }: { name: string }) {
  const { start, isBusy, failure } = useHostedSignIn(paths.setup)
  return <HostedButton name={name} failure={failure} isBusy={isBusy} onStart={() => void start()} />
}

function CheckYourMail({ email, outboxUrl }: { email: string; outboxUrl: string | null }) {
  return (
    <Stack gap="xs" role="status">
      <Text>
        We sent a link to <strong>{email}</strong>. Open it in this browser to confirm your address; then you
        are signed in.
      </Text>
      {outboxUrl === null ? null : (
        <Text>
          Mail is simulated here.{' '}
          <Anchor href={outboxUrl} target="_blank" rel="noopener">
            Open the outbox
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}

function SignUpForm({ onMailed }: { onMailed: (email: string) => void }) {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [given, setGiven] = useState({ name: '', email: '', password: '' })
  const set = (field: keyof typeof given) => (event: { currentTarget: { value: string } }) =>
    setGiven({ ...given, [field]: event.currentTarget.value })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    const email = given.email.trim()
    const { data, error } = await identity.signUp.email({
      name: given.name.trim(),
      email,
      password: given.password,
      callbackURL: paths.setup,
    })
    setBusy(false)
    if (error !== null) return setFailure(failureText(error, 'Sign-up failed. Please try again.'))
    // Without a token, the person still has to confirm the address.
    if (data.token === null) return onMailed(email)
    await forgetSession()
    await navigate(paths.setup)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {failure === null ? null : (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput label="Name" autoComplete="name" required value={given.name} onChange={set('name')} />
        <TextInput
          label="Email"
          description="Your work address: it decides which organization you belong to."
          type="email"
          autoComplete="email"
          required
          value={given.email}
          onChange={set('email')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${passwordLengthMin} characters.`}
          autoComplete="new-password"
          required
          minLength={passwordLengthMin}
          maxLength={128}
          value={given.password}
          onChange={set('password')}
        />
        <Button type="submit" loading={isBusy}>
          Sign up
        </Button>
      </Stack>
    </form>
  )
}
