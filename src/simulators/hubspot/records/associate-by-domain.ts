import { linkPlainly, setLabels } from '../associations/link.ts'
import { companyTypeId, contactTypeId, type HubspotRecord, type Portal } from '../entities.ts'
import type { World } from '../world.ts'
import { findRecord, liveRecords } from './find.ts'
import { createRecord } from './store-record.ts'

/** Free-mail domains, for which HubSpot never makes a company; the short list is ours. */
const freeMailDomains = new Set([
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'aol.com',
  'icloud.com',
])

/**
 * Applies "Create and associate companies with contacts". A contact is due some time after its creation, the switch,
 * or a new company of its domain. Only new contacts get a new company; older ones only an existing company.
 */
export function associateByDomain(world: World): void {
  for (const portal of world.portals.values()) {
    if (!portal.createCompaniesFromContacts) continue
    const companies = companiesByDomain(world, portal.hubId)
    for (const contact of [...liveRecords(world, portal.hubId, contactTypeId)])
      lookAt(world, portal, contact, companies)
  }
}

function lookAt(
  world: World,
  portal: Portal,
  contact: HubspotRecord,
  companies: Map<string, HubspotRecord>,
): void {
  const domain = contact.properties['email']?.split('@')[1]
  if (domain === undefined || freeMailDomains.has(domain) || portal.optedOutDomains.includes(domain)) return
  const key = `lookByDomain/${portal.hubId}/${contact.id}`
  const lookedAt = world.counters.get(key)
  const company = companies.get(domain)
  const since =
    lookedAt === undefined ? Math.max(contact.createdAt, portal.createCompaniesSince.at) : company?.createdAt
  if (since === undefined || (lookedAt !== undefined && since < lookedAt)) return
  const at = since + world.lags.associationLagMs
  if (at > world.now()) return
  world.counters.put(key, at)
  const isNew = lookedAt === undefined && Number(contact.id) > portal.createCompaniesSince.recordId
  if (!isNew && (company === undefined || hasCompany(world, contact))) return
  world.doAt(at, () => {
    const found = company ?? createRecord(world, portal.hubId, companyTypeId, { domain, name: domain })
    companies.set(domain, found)
    linkPlainly(world, { ...sideOf(contact), toId: found.id })
  })
}

/** The first live company of each domain; additional domains count as well. */
function companiesByDomain(world: World, hubId: number): Map<string, HubspotRecord> {
  const companies = new Map<string, HubspotRecord>()
  for (const company of liveRecords(world, hubId, companyTypeId)) {
    const { domain = '', hs_additional_domains: additional = '' } = company.properties
    for (const one of [domain, ...additional.split(';')])
      if (one !== '' && !companies.has(one)) companies.set(one, company)
  }
  return companies
}

const sideOf = ({ hubId, id }: HubspotRecord) => ({
  hubId,
  fromTypeId: contactTypeId,
  fromId: id,
  toTypeId: companyTypeId,
})

function hasCompany(world: World, contact: HubspotRecord): boolean {
  const ids = world.associationIndex.idsFrom(sideOf(contact))
  return ids.some((id) => findRecord(world, contact.hubId, companyTypeId, id) !== undefined)
}

/** Ties a contact to its primary company. */
export function makePrimary(world: World, contact: HubspotRecord, company: HubspotRecord): void {
  const primary = world.associationTypes.get(`${contact.hubId}/1`)
  setLabels(world, { ...sideOf(contact), toId: company.id }, primary === undefined ? [] : [primary])
}
