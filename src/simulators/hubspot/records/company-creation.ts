import { setLabels } from '../associations/link.ts'
import { type CrmRecord, companyTypeId, contactTypeId } from '../entities.ts'
import type { World } from '../world.ts'
import { liveRecords } from './find.ts'
import { createRecord } from './store-record.ts'

/** Mail providers HubSpot never makes a company of; a short list, ours. */
const freeMailDomains = new Set([
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'aol.com',
  'icloud.com',
])

/** What the setting "Create and associate companies with contacts" does after a contact was created. */
export function createCompanyFor(world: World, contact: CrmRecord): void {
  const domain = contact.properties['email']?.split('@')[1]
  if (domain === undefined || freeMailDomains.has(domain)) return
  const company =
    findCompanyByDomain(world, contact.hubId, domain) ??
    createRecord(world, contact.hubId, companyTypeId, { domain, name: domain })
  makePrimary(world, contact, company)
}

/** The first live company whose domain, or one of its additional domains, is this. */
function findCompanyByDomain(world: World, hubId: number, domain: string): CrmRecord | undefined {
  for (const company of liveRecords(world, hubId, companyTypeId)) {
    const additional = company.properties['hs_additional_domains']?.split(';') ?? []
    if (company.properties['domain'] === domain || additional.includes(domain)) return company
  }
  return undefined
}

/** Ties a contact to its primary company. */
export function makePrimary(world: World, contact: CrmRecord, company: CrmRecord): void {
  const { hubId } = contact
  const primary = world.associationTypes.get(`${hubId}/1`)
  const side = { hubId, fromTypeId: contactTypeId, fromId: contact.id, toTypeId: companyTypeId }
  setLabels(world, { ...side, toId: company.id }, primary === undefined ? [] : [primary])
}
