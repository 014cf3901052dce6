/** The dated version of HubSpot's API in every path. HubSpot supports a version for 18 months after its release. */
const version = '2026-09'

export const companyTypeId = '0-2'
export const contactTypeId = '0-1'

const segment = encodeURIComponent

/** Every path that we use, relative to the API's host. */
export const paths = {
  token: `/oauth/${version}/token`,
  revoke: `/oauth/${version}/token/revoke`,
  introspect: `/oauth/${version}/token/introspect`,
  /** The only undated path: no dated one tells the scopes of a key. */
  keyInfo: '/oauth/v2/private-apps/get/access-token-info',
  account: `/account-info/${version}/details`,
  exchangeRates: `/settings/currencies/${version}/exchange-rates`,
  schemas: `/crm-object-schemas/${version}/schemas`,
  schemaAssociations: (typeId: string) =>
    `/crm-object-schemas/${version}/schemas/${segment(typeId)}/associations`,
  objectTypeLimits: `/crm/limits/${version}/custom-object-types`,
  recordLimits: `/crm/limits/${version}/records`,
  properties: (typeId: string) => `/crm/properties/${version}/${segment(typeId)}`,
  property: (typeId: string, name: string) =>
    `/crm/properties/${version}/${segment(typeId)}/${segment(name)}`,
  objects: (typeId: string) => `/crm/objects/${version}/${segment(typeId)}`,
  object: (typeId: string, id: string) => `/crm/objects/${version}/${segment(typeId)}/${segment(id)}`,
  objectSearch: (typeId: string) => `/crm/objects/${version}/${segment(typeId)}/search`,
  objectBatch: (typeId: string, verb: 'upsert' | 'update' | 'read' | 'create' | 'archive') =>
    `/crm/objects/${version}/${segment(typeId)}/batch/${verb}`,
  contactGdprDelete: `/crm/objects/${version}/contacts/gdpr-delete`,
  associationBatch: (from: string, to: string, verb: 'associate/default' | 'read' | 'archive') =>
    `/crm/associations/${version}/${segment(from)}/${segment(to)}/batch/${verb}`,
}

/** HubSpot's maximum of inputs per call (guides of March 2026). */
export const limits = { recordsPerBatch: 100, pairsPerBatch: 2_000, pairsPerRead: 1_000 }
export const listPageSize = 100
export const searchPageSize = 200
