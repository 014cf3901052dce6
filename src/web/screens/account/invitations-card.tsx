import { Card, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { cancelInvitation, inviteMember } from '#contract/organization.ts'
import { call, serverText } from '../../client.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { Instant } from '../../ui/time/instant.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { problemOf } from './problem-of.ts'
import { useMemberChange, useMembers } from './use-members.ts'

const texts = {
  cancel: { done: 'Invitation canceled', failed: 'Invitation could not be canceled' },
  again: { done: 'Invitation sent again', failed: 'Invitation could not be sent' },
}

/** Invites people by email, shows which mails have not arrived, and withdraws open invitations. */
export function InvitationsCard() {
  const people = useMembers()
  const cancel = useMemberChange(texts.cancel)
  const again = useMemberChange(texts.again)
  const open = people.data?.invitations ?? []
  return (
    <Card withBorder component="section" aria-label="Invitations">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Invitations
        </Title>
        <InviteForm />
        <ProblemAlert
          problem={problemOf(texts.cancel.failed, cancel) ?? problemOf(texts.again.failed, again)}
        />
        {open.map((invitation) => (
          <Group key={invitation.id} justify="space-between">
            <Stack gap={0}>
              <Text size="sm">
                {invitation.email} ({invitation.role}), until <Instant at={invitation.expiresAt} />
              </Text>
              {invitation.mail === 'sent' ? null : (
                <Text size="sm" c="var(--text-negative)">
                  {undelivered[invitation.mail]}
                </Text>
              )}
            </Stack>
            <Group gap="xs">
              {invitation.mail === 'sent' || invitation.role === 'owner' ? null : (
                <StartButton
                  size="xs"
                  variant="default"
                  isBusy={again.isPending}
                  aria-label={`Send the invitation of ${invitation.email} again`}
                  onClick={() => {
                    const { email, role } = invitation
                    if (role !== 'owner') again.mutate(() => call(inviteMember, { body: { email, role } }))
                  }}
                >
                  Send Again
                </StartButton>
              )}
              <StartButton
                size="xs"
                variant="default"
                isOff={cancel.isPending}
                aria-label={`Cancel the invitation of ${invitation.email}`}
                onClick={() => {
                  const body = { invitationId: invitation.id }
                  cancel.mutate(() => call(cancelInvitation, { body }))
                }}
              >
                Cancel
              </StartButton>
            </Group>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}

const undelivered = {
  waiting: 'The email could not be delivered yet. We retry for two days.',
  failed: 'The email was refused. Check the address.',
} as const

function InviteForm() {
  const [email, setEmail] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState<'member' | 'admin'>('member')
  const invite = useMemberChange({ done: 'Invitation sent', failed: 'Invitation could not be sent' })
  const { form, areRight, errors, refuse } = useFieldErrors({ email: 'an email address' })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!areRight(event.currentTarget)) return
    const body = { email: email.trim(), role }
    await invite
      .mutateAsync(() => call(inviteMember, { body }))
      .then(
        () => {
          setEmail('')
          // For the next colleague.
          field.current?.focus()
        },
        (error) => refuse('email', serverText(error, 'The invitation could not be sent. Please try again.')),
      )
  }
  return (
    <form {...form} onSubmit={(event) => void submit(event)}>
      <Group align="flex-start">
        <TextInput
          ref={field}
          label="Email address"
          name="email"
          error={errors.email}
          type="email"
          required
          flex={1}
          miw={200}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NativeSelect
          label="Role"
          value={role}
          data={[
            { value: 'member', label: 'Member' },
            { value: 'admin', label: 'Admin' },
          ]}
          onChange={(event) => setRole(event.currentTarget.value === 'admin' ? 'admin' : 'member')}
        />
        <StartButton type="submit" mt={25} isBusy={invite.isPending}>
          Invite
        </StartButton>
      </Group>
    </form>
  )
}
