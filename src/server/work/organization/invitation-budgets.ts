import { Refusal, waitInWords } from '../../refusal.ts'
import { hashOfMailbox, spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import type { Tenant } from '../../store/postgres/database.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Over all organizations, because an invitation is mail to somebody who did not ask for it. */
const perAddress = { max: 3, windowSeconds: day }
const perInviter = { max: 20, windowSeconds: hour }
const perOrganization = { max: 100, windowSeconds: day }
/** From one organization to one address; renewing or withdrawing an invitation does not reset it. */
const perPair = { max: 1, windowSeconds: 10 * minute }

/**
 * Counts an invitation against all its limits, in the transaction that creates it. A refused invitation counts
 * nowhere; withdrawing one restores nothing. The order is the locking order.
 */
export async function spendInvitation(
  tenant: Tenant,
  { email, inviterId, isMailLost }: { email: string; inviterId: number; isMailLost: boolean },
): Promise<void> {
  const { sql, organizationId } = tenant
  const address = hashOfMailbox(email)
  if (!isMailLost) {
    const wait = await spendAttempt(sql, { key: `invited:${organizationId}:${address}`, ...perPair })
    if (wait > 0) {
      const again = `Wait ${waitInWords(wait)}, then invite it again.`
      throw tooMany(`An invitation went to this address less than ten minutes ago. ${again}`, wait)
    }
  }
  // The message omits when and by whom the address was invited, because that may have been another organization.
  if ((await spendAttempt(sql, { key: `invited:${address}`, ...perAddress })) > 0)
    throw tooMany('No more invitations go to this address today. Invite it again tomorrow.', day)
  const inviterWait = await spendAttempt(sql, { key: `inviter:${inviterId}`, ...perInviter })
  if (inviterWait > 0) {
    const goOn = `Wait ${waitInWords(inviterWait)}, then go on.`
    throw tooMany(`You have sent ${perInviter.max} invitations within an hour. ${goOn}`, inviterWait)
  }
  const key = `inviting:${organizationId}`
  const organizationWait = await spendAttempt(sql, { key, ...perOrganization })
  if (organizationWait > 0) {
    const goOn = `Wait ${waitInWords(organizationWait)}, then go on.`
    const sent = `Your organization has sent ${perOrganization.max} invitations within a day.`
    throw tooMany(`${sent} ${goOn}`, organizationWait)
  }
}

function tooMany(message: string, waitSeconds: number): Refusal {
  return new Refusal('rate_limited', message, waitSeconds)
}
