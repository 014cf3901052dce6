import { Alert, Text } from '@mantine/core'
import type { OpenInvitation } from '#contract/organization.ts'
import { paths } from '../../paths.ts'

/** Says who invites whom to what. */
export function InvitationNote({ invitation }: { invitation: OpenInvitation }) {
  const { organizationName, inviterName, inviterEmail, email } = invitation
  return (
    <Alert role="note" title={`You are invited to ${organizationName}`}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {inviterName || 'Somebody'} ({inviterEmail}) invites you. The invitation is for{' '}
        <strong>{email}</strong>.
      </Text>
    </Alert>
  )
}

/** Stands where the invitation would, so that nobody wonders at a bare sign-in. */
export function ClosedInvitationNote() {
  return (
    <Alert role="note" color="yellow">
      This invitation is no longer open. It may have been used or withdrawn. Sign in, or ask for a new one.
    </Alert>
  )
}

/** The sign-up that keeps the invitation. */
export function invitedSignUp(token: string): string {
  return `${paths.signUp}?${new URLSearchParams({ invitationId: token })}`
}

/** Where an invited person decides, once signed in; a new member sees the setup if it is not complete. */
export function invitedChoice(token: string): string {
  return `${paths.organizationSelection}?${new URLSearchParams({ invitationId: token, redirectUrl: paths.setup })}`
}
