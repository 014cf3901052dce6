import type { Deps } from '../deps.ts'

const nameMaxLength = 100

/** Tells somebody by mail that they are invited. The link opens nothing without the address it went to. */
export function sendInvitation(
  { mail, config }: Pick<Deps, 'mail' | 'config'>,
  invitation: { id: number; token: string; email: string; organization: string },
): Promise<void> {
  const { id, token, email, organization } = invitation
  // Names come from people; a mail's subject is one line.
  const name = organization.replace(/\s+/g, ' ').slice(0, nameMaxLength)
  return mail.send({
    to: email,
    subject: `Invitation to ${name}`,
    body: `You are invited to join ${name} on Tributary. Sign in with exactly this address, ${email}. The invitation is valid for two days.`,
    link: `${config.publicUrl}/org-selection?${new URLSearchParams({ invitationId: token })}`,
    invitationId: id,
  })
}
