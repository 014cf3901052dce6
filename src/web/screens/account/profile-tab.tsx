import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { getCurrentUser } from '#contract/account.ts'
import { endpointKey } from '../../client.ts'
import { dataOf, identity, isWeakPassword } from '../../identity/identity.ts'
import { useAbout, useCurrentUser } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { asNewPassword, PasswordField } from '../../ui/password-field.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { AlertsCard } from './alerts-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { ChangeEmail } from './email/change-email.tsx'
import { ConfirmEmail } from './email/confirm-email.tsx'
import { SecondFactorCard } from './second-factor/second-factor-card.tsx'
import { SessionsCard, useSessions } from './sessions-card.tsx'
import { isOnlyOwner, useAskedMembers } from './use-members.ts'

export function ProfileTab() {
  const { data: user } = useCurrentUser()
  const { data: about } = useAbout()
  const sessions = useSessions()
  const organization = user?.organization ?? null
  const people = useAskedMembers(organization?.role === 'owner')
  if (user === undefined) return null
  return (
    <Stack>
      <NameCard name={user.name} email={user.email} keepsEmail={about?.hostedIdentity === null} />
      <ConfirmEmail />
      {about?.hostedIdentity ? (
        <Card withBorder>
          <Text>
            Your email address, password and security settings are kept by {about.hostedIdentity}. What you
            change there counts here from your next sign-in.
          </Text>
        </Card>
      ) : (
        <>
          <PasswordCard />
          <SecondFactorCard />
        </>
      )}
      {organization?.role === 'owner' ? <AlertsCard organizationName={organization.name} /> : null}
      <SessionsCard />
      {/* It comes once the card above it has its height, so that it does not jump away below a pointer. */}
      {sessions.isPending || people.isLoading ? null : (
        <DeleteAccountCard
          email={user.email}
          ownedAlone={organization !== null && isOnlyOwner(people) ? organization.name : null}
        />
      )}
    </Stack>
  )
}

type NameCardProps = {
  name: string
  email: string
  /** Whether the address is ours to change, not a hosted provider's. */
  keepsEmail: boolean
}

function NameCard({ name, email, keepsEmail }: NameCardProps) {
  const [isChanging, setChanging] = useState(false)
  const toast = useToast()
  const client = useQueryClient()
  const [typed, setTyped] = useState(name)
  const save = useMutation({
    mutationFn: (wanted: string) =>
      dataOf(identity.updateUser({ name: wanted }), 'The name could not be saved.'),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: endpointKey(getCurrentUser) })
      toast({ title: 'Profile saved' })
    },
    onError: (error) =>
      toast({ title: 'Profile could not be saved', description: error.message, isError: true }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(typed.trim())
  }
  return (
    <Card withBorder component="section" aria-label="Profile">
      <form noValidate onSubmit={submit}>
        <Stack>
          <Title order={2} size="h5">
            Profile
          </Title>
          <TextInput
            label="Name"
            autoComplete="name"
            required
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <TextInput
            label="Email"
            description={keepsEmail ? 'To change it, press Change email address.' : undefined}
            variant="filled"
            value={email}
            readOnly
          />
          <ProblemAlert
            problem={save.error && { title: 'Profile could not be saved', description: save.error.message }}
          />
          <Group>
            <StartButton
              type="submit"
              isBusy={save.isPending}
              isOff={typed.trim() === '' || typed.trim() === name}
            >
              Save
            </StartButton>
            {keepsEmail ? (
              <Button variant="default" onClick={() => setChanging(true)}>
                Change email address
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
      {isChanging ? <ChangeEmail email={email} onClose={() => setChanging(false)} /> : null}
    </Card>
  )
}

/** What the sign-in library says of it, which does not tell which of the two. */
const wrongPassword = 'Invalid password'
const notChanged = 'Password could not be changed'

function PasswordCard() {
  const toast = useToast()
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const { form, areRight, errors, refuse } = useFieldErrors({
    current: 'your current password',
    wanted: 'a new password',
  })
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        identity.changePassword({ currentPassword: current, newPassword: wanted, revokeOtherSessions: true }),
        'The password could not be changed.',
      ),
    onSuccess: () => {
      setCurrent('')
      setWanted('')
      toast({ title: 'Password changed', description: 'Other sessions of yours were signed out.' })
    },
    onError: (error) => {
      const { message } = error
      const isWrong = message === wrongPassword
      const description = isWrong ? 'This is not your current password.' : message
      if (isWrong) refuse('current', description)
      if (isWeakPassword(error)) refuse('wanted', description)
      toast({ title: notChanged, description, isError: true })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (areRight(event.currentTarget)) change.mutate()
  }
  return (
    <Card withBorder component="section" aria-label="Password">
      <form {...form} onSubmit={submit}>
        <Stack>
          <Title order={2} size="h5">
            Password
          </Title>
          <PasswordField
            label="Current password"
            name="current"
            error={errors.current}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordField
            label="New password"
            name="wanted"
            error={errors.wanted}
            {...asNewPassword}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <ProblemAlert
            problem={
              change.error === null || change.error.message === wrongPassword
                ? null
                : { title: notChanged, description: change.error.message }
            }
          />
          <Group>
            <StartButton type="submit" isBusy={change.isPending}>
              Change password
            </StartButton>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
