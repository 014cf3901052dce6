import { plainName } from '../../plain-name.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { listMembers, lockMembership, setRole } from '../../store/accounts/members.ts'
import { listMemberships } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'

/**
 * Makes a member an owner where no owner is left who could. Logs it and mails all owners. `organization` is its
 * number, for somebody who belongs to several. Throws an Error that says what to name instead.
 */
export async function makeOwner(
  database: Database,
  { email, organization }: { email: string; organization: string | undefined },
): Promise<{ email: string; organization: string; told: number }> {
  const person = await findUserByEmail(database, email.trim().toLowerCase())
  const memberships = person === undefined ? [] : await listMemberships(database, person.id)
  if (person === undefined || memberships.length === 0)
    throw new Error(`${plainName(email)} is no member of an organization. Have them invited first.`)
  const choices = memberships.map(({ id, name }) => `${id} (${plainName(name)})`).join(', ')
  if (organization === undefined && memberships.length > 1)
    throw new Error(`${person.email} belongs to several organizations. Name the number of one: ${choices}.`)
  const chosen = memberships.find(({ id }) => organization === undefined || String(id) === organization)
  if (chosen === undefined)
    throw new Error(
      `${person.email} is no member of ${plainName(organization ?? '')}. Name one of ${choices}.`,
    )
  return inOrganization(database, chosen.id, async (tenant) => {
    await lockMembership(tenant)
    const members = await listMembers(tenant)
    const target = members.find(({ userId }) => userId === person.id)
    if (target === undefined) throw new Error(`${person.email} has just left the organization.`)
    if (target.role === 'owner') throw new Error(`${person.email} is an owner of it already.`)
    await setRole(tenant, target.id, 'owner')
    await recordAudit(tenant, null, { action: 'owner_made', subject: person.email })
    const owners = [target, ...members.filter(({ role }) => role === 'owner')]
    for (const { email: to } of owners) {
      await addToOutbox(tenant.sql, {
        to,
        subject: 'Your organization has another owner',
        body: `Whoever runs Tributary has made ${person.email} an owner of your organization. If you did not expect this, ask whoever runs Tributary.`,
        link: null,
      })
    }
    return { email: person.email, organization: plainName(chosen.name), told: owners.length }
  })
}
