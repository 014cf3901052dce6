import type { Deps } from '../../deps.ts'

const nameMaxLength = 100
/** What mail programs make links of: addresses need a dot, a slash, a colon or an @, in whatever script. */
const linking = /[^\p{L}\p{M}\p{N} &'’+-]/gu
/** A number that a telephone would offer to call. */
const phoneNumber = /\d(?:[ '’+-]*\d){6,}/g

/** Tells somebody by mail that they are invited. The link opens nothing without the address it went to. */
export function sendInvitation(
  { mail, config }: Pick<Deps, 'mail' | 'config'>,
  invitation: { id: number; token: string; email: string; organization: string },
): Promise<void> {
  const { id, token, email, organization } = invitation
  const name = unlinkedName(organization)
  return mail.send({
    to: email,
    subject: `Invitation to ${name}`,
    body: `You are invited to join the organization “${name}” on Tributary. Sign in with exactly this address, ${email}. The invitation is valid for two days. If you do not know who invites you, do nothing.`,
    link: `${config.publicUrl}/org-selection?${new URLSearchParams({ invitationId: token })}`,
    invitationId: id,
  })
}

/**
 * A name as it may stand in a mail of ours to a stranger: anybody may choose it, so it is one line of words with nothing
 * in it that could be followed. 'Evil.example/now' gives 'Evil example now'.
 */
export function unlinkedName(name: string): string {
  const words = name.slice(0, nameMaxLength).normalize('NFKC').replace(linking, ' ').replace(phoneNumber, ' ')
  return words.replace(/ +/g, ' ').trim() || 'an organization'
}
