import { linkPlainly } from './associations/link.ts'
import { companyTypeId, contactTypeId, dealTypeId, type HubspotRecord } from './entities.ts'
import type { CrmSeed } from './options.ts'
import { makePrimary } from './records/associate-by-domain.ts'
import { createRecord } from './records/store-record.ts'
import type { World } from './world.ts'

/** Adds companies, contacts and deals to a new portal, as if people had kept them there for years. */
export function seedPortal(world: World, hubId: number, seed: CrmSeed): void {
  const byDomain = new Map<string, HubspotRecord>()
  const deals: { companyId: string; name: string; count: number }[] = []
  for (const company of seed.companies) {
    const record = seedCompany(world, hubId, company)
    deals.push({ companyId: record.id, name: company.name, count: company.dealCount ?? 0 })
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
  for (const { companyId, name, count } of deals) {
    for (let number = 1; number <= count; number++) {
      const { id } = createRecord(world, hubId, dealTypeId, { dealname: `${name}, deal ${number}` })
      const side = { hubId, fromTypeId: dealTypeId, fromId: id, toTypeId: companyTypeId }
      linkPlainly(world, { ...side, toId: companyId })
    }
  }
}

function seedCompany(world: World, hubId: number, company: CrmSeed['companies'][number]): HubspotRecord {
  const { name, domain, website, additionalDomains = [], lastActivityAt } = company
  const create = () =>
    createRecord(world, hubId, companyTypeId, {
      name,
      ...(domain !== undefined && { domain }),
      ...(website !== undefined && { website }),
      ...(additionalDomains.length > 0 && { hs_additional_domains: additionalDomains.join(';') }),
      ...(lastActivityAt !== undefined && { notes_last_updated: new Date(lastActivityAt).toISOString() }),
    })
  return world.doAt(company.createdAt ?? world.now(), create)
}
