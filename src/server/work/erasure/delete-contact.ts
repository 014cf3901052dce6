import type { Deps } from '../../deps.ts'
import { canonicalHost } from '../../email-address.ts'
import type { CrmAccess, CrmCompany } from '../../providers/crm-directory.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { isCompanyOfOthers, isContactOfOthers } from '../../store/erasure/erase-mentions.ts'
import { findErasure, noteDeletedInCrm } from '../../store/erasure/erasures.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { withCrm } from '../crm/with-crm.ts'
import type { ActingMember } from '../organization/change-members.ts'
import { findErasedTexts } from './keep-index.ts'

/**
 * Asks the CRM to delete an erased person's contact permanently, and gives a company that was created and named for
 * this person the pseudonym, unless it was merged or renamed since. May be repeated after an interruption.
 */
export async function deleteErasedContact(deps: Deps, caller: ActingMember, id: string): Promise<void> {
  const { organizationId, actor } = caller
  const erasure = await inOrganization(deps.database, organizationId, (tenant) => findErasure(tenant, id))
  if (!erasure) throw unknownErasure()
  const { crm_portal_id: portalId, pseudonym } = erasure
  const { crm_contact_record_id: contactRecordId, crm_company_record_id: companyRecordId } = erasure
  if (erasure.crm_deleted_at !== null) return
  if (portalId === null) {
    throw new Refusal(
      'conflict',
      `No contact of this person is known in ${deps.crm.name}. Look for it there.`,
    )
  }
  await withCrm(deps, organizationId, async ({ access }) => {
    if (access.portalId !== portalId) {
      throw new Refusal(
        'conflict',
        `The contact is in the ${deps.crm.name} account ${portalId}, which is not connected. Connect it, or look for the contact there.`,
      )
    }
    if (companyRecordId !== null) {
      // The id of a merged company would lead to the one it was merged into, which is somebody else's.
      const [standing] = await deps.crm.readCompanies(access, [companyRecordId])
      if (standing?.recordId === companyRecordId) {
        const its = await inOrganization(deps.database, organizationId, (tenant) =>
          findItsWords(deps, tenant, portalId, standing),
        )
        const name = its.name ? pseudonym : null
        if (name !== null || its.domain || its.key)
          await deps.crm.clearCompany(access, companyRecordId, { name, domain: its.domain, key: its.key })
      }
    }
    if (contactRecordId === null) return
    await refuseOthersContact(deps, organizationId, access, contactRecordId)
    await deps.crm.deleteContactForGood(access, contactRecordId)
  })
  await inOrganization(deps.database, organizationId, async (tenant) => {
    await noteDeletedInCrm(tenant, id, { portalId, contactRecordId, companyRecordId }, deps.now())
    await recordAudit(tenant, actor, { action: 'contact_deleted', subject: pseudonym })
  })
}

/** A contact of several people would be lost to all of them. People merge contacts, and a merged one's id leads to another. */
async function refuseOthersContact(
  deps: Deps,
  organizationId: number,
  access: CrmAccess,
  contactRecordId: string,
): Promise<void> {
  const [contact] = await deps.crm.readContacts(access, [contactRecordId])
  if (!contact) return
  const isOfOthers = await inOrganization(deps.database, organizationId, (tenant) =>
    isContactOfOthers(tenant, access.portalId, contactRecordId),
  )
  if (contact.recordId === contactRecordId && !isOfOthers) return
  throw new Refusal(
    'conflict',
    `In ${deps.crm.name} this contact is somebody else's too, who would lose it. Edit contact ${contact.recordId} there: take out this person's name and address.`,
  )
}

/**
 * Which values of the company are still words of erased people: what others entered since stays. The domain of a shared
 * company stays too, because the other customers are found by it.
 */
async function findItsWords(
  deps: Deps,
  tenant: Tenant,
  portalId: string,
  { recordId, name, domains, createdFor }: CrmCompany,
): Promise<{ name: boolean; domain: boolean; key: boolean }> {
  const [named, host, key] = [name ?? '', canonicalHost(domains[0] ?? '') ?? '', createdFor ?? '']
  const names = await findErasedTexts(deps, tenant, 'name', [named])
  const hosts = await findErasedTexts(deps, tenant, 'host', [named, host, key])
  const isShared = await isCompanyOfOthers(tenant, portalId, recordId)
  return {
    name: names.has(named) || hosts.has(named),
    domain: !isShared && hosts.has(host),
    key: !isShared && hosts.has(key),
  }
}

export function unknownErasure(): Refusal {
  return new Refusal('not_found', 'There is no such erasure. Reload the list.')
}
