import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../../store/accounts/audit.ts'
import {
  getOrganization,
  type OrganizationProfile,
  saveOrganization,
} from '../../store/accounts/organizations.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'
import type { ActingMember } from './change-members.ts'
import { nameOf, pictureOf, slugOf, slugTaken } from './organization-words.ts'

/** Changes the organization's name, slug or picture. Its id stays, so that references remain valid. */
export function changeOrganization(
  database: Database,
  { organizationId, actor }: ActingMember,
  wanted: { name: string; slug: string; pictureUrl: string | null },
): Promise<OrganizationProfile> {
  const profile = { name: nameOf(wanted.name), slug: slugOf(wanted.slug), logo: pictureOf(wanted.pictureUrl) }
  return inOrganization(database, organizationId, async (tenant) => {
    const before = await getOrganization(tenant)
    if (!(await saveOrganization(tenant, profile))) throw slugTaken()
    if (isDeepStrictEqual(before, profile)) return profile
    await recordAudit(tenant, actor, { action: 'organization_changed', subject: profile.name })
    return profile
  })
}
