import type { Deps } from '../../deps.ts'
import { unlinkedName } from '../../work/mail/unlinked-name.ts'

/** Sends an invitation. Only a person with the invited address can use its link. */
export function sendInvitation(
  { mail, config }: Pick<Deps, 'mail' | 'config'>,
  invitation: { id: number; token: string; email: string; organization: string; inviter: string },
): Promise<void> {
  const { id, token, email, organization, inviter } = invitation
  const name = unlinkedName(organization)
  return mail.send({
    to: email,
    subject: `Invitation to ${name}`,
    body: `${unlinkedName(inviter)} invites you to join the organization “${name}” on Tributary. Follow the link and sign up, or sign in, with exactly this address, ${email}. The invitation is valid for two days. If you do not know who invites you, do nothing.`,
    link: `${config.publicUrl}/org-selection?${new URLSearchParams({ invitationId: token })}`,
    invitationId: id,
  })
}
