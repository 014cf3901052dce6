import { companyTypeId, contactTypeId, type HubspotRecord } from './entities.ts'
import type { CrmSeed } from './options.ts'
import { makePrimary } from './records/associate-by-domain.ts'
import { createRecord } from './records/store-record.ts'
import type { World } from './world.ts'

/** Adds companies and contacts to a new portal, as if people had kept them there for years. */
export function seedPortal(world: World, hubId: number, seed: CrmSeed): void {
  const byDomain = new Map<string, HubspotRecord>()
  for (const company of seed.companies) {
    const record = createRecord(world, hubId, companyTypeId, {
      name: company.name,
      ...(company.domain === undefined ? {} : { domain: company.domain }),
      ...(company.website === undefined ? {} : { website: company.website }),
      ...(company.additionalDomains?.length
        ? { hs_additional_domains: company.additionalDomains.join(';') }
        : {}),
    })
    for (const domain of [company.domain, ...(company.additionalDomains ?? [])]) {
      if (domain !== undefined && !byDomain.has(domain)) byDomain.set(domain, record)
    }
  }
  for (const contact of seed.contacts) {
    const record = createRecord(world, hubId, contactTypeId, {
      email: contact.email.toLowerCase(),
      ...(contact.additionalEmails?.length
        ? { hs_additional_emails: contact.additionalEmails.join(';').toLowerCase() }
        : {}),
      ...(contact.firstname === undefined ? {} : { firstname: contact.firstname }),
      ...(contact.lastname === undefined ? {} : { lastname: contact.lastname }),
    })
    const company = byDomain.get(contact.companyDomain ?? '')
    if (company !== undefined) makePrimary(world, record, company)
  }
}
