import { companyTypeId, contactTypeId, dealTypeId, type Portal } from './entities.ts'
import { noLimits } from './limits.ts'
import type { PortalOption } from './options.ts'
import { defineStandardProperties } from './properties/standard.ts'
import type { World } from './world.ts'

const defaultCustomObjectLimit = 10

/** The portals in the order of the consent page. */
export function listPortals(world: World): Portal[] {
  return [...world.portals.values()]
}

export function findPortal(world: World, hubId: number | string): Portal | undefined {
  return world.portals.get(String(hubId))
}

/** Opens a portal with HubSpot's own objects, their properties and the ties between them. */
export function openPortal(world: World, option: PortalOption): Portal {
  const portal: Portal = {
    hubId: option.hubId,
    name: option.name,
    domain: option.domain,
    tier: option.tier,
    customObjectLimit: option.customObjectLimit ?? defaultCustomObjectLimit,
    dataHostingLocation: 'na1',
    createCompaniesFromContacts: false,
    createCompaniesSince: { at: 0, recordId: 0 },
    optedOutDomains: [],
    rotateRefreshTokens: false,
    emailHosts: 'as_sent',
    adminRequired: {},
    associationsMoveContacts: false,
    limits: noLimits,
    ...(option.schemaRefusals && { schemaRefusals: option.schemaRefusals }),
  }
  world.portals.put(String(portal.hubId), portal)
  openGroup(world, portal.hubId, contactTypeId, 'contactinformation', 'Contact information')
  openGroup(world, portal.hubId, companyTypeId, 'companyinformation', 'Company information')
  defineStandardProperties(world, portal.hubId, contactTypeId, 'contactinformation')
  defineStandardProperties(world, portal.hubId, companyTypeId, 'companyinformation')
  openGroup(world, portal.hubId, dealTypeId, 'dealinformation', 'Deal information')
  defineStandardProperties(world, portal.hubId, dealTypeId, 'dealinformation')
  tieToCompanies(world, portal.hubId, contact, { id: 279, inverseId: 280, label: null })
  tieToCompanies(world, portal.hubId, contact, { id: 1, inverseId: 2, label: 'Primary' })
  tieToCompanies(world, portal.hubId, deal, { id: 341, inverseId: 342, label: null })
  return portal
}

/** Adds a property group. */
export function openGroup(world: World, hubId: number, typeId: string, name: string, label: string): void {
  world.groups.put(`${hubId}/${typeId}/${name}`, { hubId, typeId, name, label })
}

type BuiltInType = { readonly typeId: string; readonly name: string }
type BuiltInTie = { readonly id: number; readonly inverseId: number; readonly label: string | null }

const contact: BuiltInType = { typeId: contactTypeId, name: 'contact' }
const deal: BuiltInType = { typeId: dealTypeId, name: 'deal' }

// The numbers are HubSpot's own (source: associations guide).
function tieToCompanies(world: World, hubId: number, { typeId, name }: BuiltInType, tie: BuiltInTie): void {
  const { id, inverseId, label } = tie
  const category = 'HUBSPOT_DEFINED'
  const plain = label === null ? '_unlabeled' : ''
  const forward = { fromTypeId: typeId, toTypeId: companyTypeId, name: `${name}_to_company${plain}` }
  const backward = { fromTypeId: companyTypeId, toTypeId: typeId, name: `company_to_${name}${plain}` }
  world.associationTypes.put(`${hubId}/${id}`, { hubId, id, inverseId, category, label, ...forward })
  world.associationTypes.put(`${hubId}/${inverseId}`, {
    hubId,
    id: inverseId,
    inverseId: id,
    category,
    label,
    ...backward,
  })
}
