import { recordAudit } from '../../store/accounts/audit.ts'
import { listMemberships } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import { dropSecondFactor } from '../../store/accounts/second-factors.ts'
import { endBegunSignIns, endSessions } from '../../store/accounts/sessions.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import { type Database, tenantOf } from '../../store/postgres/database.ts'

/**
 * Turns two-factor authentication off for somebody without app and recovery codes, and signs them out everywhere. Logs
 * it in their organizations and mails them. Returns the number of ended sessions; undefined if it is off already.
 */
export function resetSecondFactor(database: Database, email: string): Promise<number | undefined> {
  return database.transaction().execute(async (transaction) => {
    const person = await findUserByEmail(transaction, email.trim().toLowerCase())
    if (person === undefined || !(await dropSecondFactor(transaction, person.id))) return undefined
    const ended = await endSessions(transaction, person.id)
    await endBegunSignIns(transaction, person.id)
    for (const { id } of await listMemberships(transaction, person.id)) {
      const tenant = await tenantOf(transaction, id)
      await recordAudit(tenant, null, { action: 'second_factor_reset', subject: person.email })
    }
    await addToOutbox(transaction, {
      to: person.email,
      subject: 'Two-factor authentication was turned off',
      body: 'Whoever runs Tributary has turned two-factor authentication off for your account and signed you out everywhere. Sign in with your password, and turn it on again in Account Settings. If you did not ask for this, choose a new password and write to an owner of your organization at once.',
      link: null,
    })
    return ended
  })
}
