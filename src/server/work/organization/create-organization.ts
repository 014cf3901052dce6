import { Refusal } from '../../refusal.ts'
import type { Actor } from '../../store/accounts/audit.ts'
import {
  type CreatedOrganization,
  createOrganizationRow,
  listMemberships,
} from '../../store/accounts/organizations.ts'
import type { Database } from '../../store/postgres/database.ts'
import { claimableDomain } from '../addresses/mail-domain.ts'
import { nameOf, slugOf, slugTaken } from './organization-words.ts'

/** The most organizations one user may own; without a limit, a personal address could create any number. */
const ownedMax = 10

export const domainTaken =
  'Another user from your domain has already created an organization. Please contact your administrator to request an invitation.'

export type Founder = Actor & { emailVerified: boolean }

/**
 * Creates an organization with its founder as owner. The domain comes from the verified address, never from the
 * request: the first founder of a work domain claims it, later ones are refused; personal addresses claim nothing.
 */
export async function createOrganization(
  database: Database,
  founder: Founder,
  wanted: { name: string; slug: string },
): Promise<CreatedOrganization> {
  if (!founder.emailVerified) throw new Refusal('forbidden', 'Verify your email address first.')
  const name = nameOf(wanted.name)
  const slug = slugOf(wanted.slug)
  const memberships = await listMemberships(database, founder.userId)
  if (memberships.filter(({ role }) => role === 'owner').length >= ownedMax) {
    throw new Refusal('forbidden', `You already own ${ownedMax} organizations. Leave one of them first.`)
  }
  const domain = claimableDomain(founder.email)
  const created = await createOrganizationRow(database, { name, slug, founder, domain })
  if (created === 'domain_claimed') throw new Refusal('forbidden', domainTaken)
  if (created === 'slug_taken') throw slugTaken()
  return created
}
