import type { PortalTier } from './options.ts'
import type { HostSpelling } from './properties/email.ts'

export const contactTypeId = '0-1'
export const companyTypeId = '0-2'

/** One HubSpot account and its switches. */
export type Portal = {
  readonly hubId: number
  readonly name: string
  readonly domain: string
  readonly tier: PortalTier
  readonly customObjectLimit: number
  /** Where its data lie, which its pages' address shows. */
  readonly dataHostingLocation: 'na1' | 'eu1'
  /** HubSpot's setting "Create and associate companies with contacts". */
  readonly createCompaniesFromContacts: boolean
  /** When that was switched on last, and the newest record that stood by then. */
  readonly createCompaniesSince: { readonly at: number; readonly recordId: number }
  /** Domains that an admin took out of that setting. */
  readonly optedOutDomains: readonly string[]
  /** HubSpot documents no rotation; a client must survive one all the same. */
  readonly rotateRefreshTokens: boolean
  /** How hosts of addresses are kept that are outside ASCII. */
  readonly emailHosts: HostSpelling
  /** Properties an admin made required on create, by object type id. */
  readonly adminRequired: Readonly<Record<string, readonly string[]>>
  /** Whether tying a contact, or taking a tie off it, counts as a change of it; HubSpot does not say. No, unless told. */
  readonly associationsMoveContacts?: boolean
  /** None unless told. */
  readonly limits?: PortalLimits
}

/** How much the plan, or an admin, allows. */
export type PortalLimits = {
  /** The most records of one type that a record of another may be tied to, by object type ids. */
  readonly associations: readonly { readonly from: string; readonly to: string; readonly max: number }[]
  /** The most records of all custom objects together; null for no limit. */
  readonly customRecords: number | null
  /** The most records of one type, by its id. */
  readonly recordsOfType: Readonly<Record<string, number>>
  /** Whether a batch with a record too many loses that row alone, or is refused as a whole: HubSpot does not say. */
  readonly refusal: 'row' | 'batch'
}

/** A custom object's definition. Its properties and association types are kept beside it. */
export type Schema = {
  readonly hubId: number
  readonly typeId: string
  readonly name: string
  readonly labels: { readonly singular: string; readonly plural: string }
  readonly description: string
  readonly primaryDisplayProperty: string
  readonly secondaryDisplayProperties: readonly string[]
  readonly requiredProperties: readonly string[]
  readonly searchableProperties: readonly string[]
  readonly archived: boolean
  /** Milliseconds since 1970, as every instant of the simulation. */
  readonly createdAt: number
  readonly updatedAt: number
}

export type PropertyType = 'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool'

export type PropertyOption = {
  readonly label: string
  readonly value: string
  readonly displayOrder: number
  readonly hidden: boolean
  readonly description: string
}

export type Property = {
  readonly hubId: number
  readonly typeId: string
  readonly name: string
  readonly label: string
  readonly type: PropertyType
  readonly fieldType: string
  readonly groupName: string
  readonly description: string
  readonly options: readonly PropertyOption[]
  readonly displayOrder: number
  readonly hidden: boolean
  readonly formField: boolean
  readonly hasUniqueValue: boolean
  readonly numberDisplayHint: string | null
  readonly hubspotDefined: boolean
  readonly readOnlyValue: boolean
  readonly archived: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export type PropertyGroup = {
  readonly hubId: number
  readonly typeId: string
  readonly name: string
  readonly label: string
}

/** One CRM record; `properties` never holds an empty string: empty and absent are the same. */
export type HubspotRecord = {
  readonly hubId: number
  readonly typeId: string
  readonly id: string
  readonly properties: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  /** Id of the record this one went into by a merge. */
  readonly mergedInto: string | null
}

/** One direction of a tie between two records; the other direction is a row of its own. */
export type Association = {
  readonly hubId: number
  readonly fromTypeId: string
  readonly fromId: string
  readonly toTypeId: string
  readonly toId: string
  readonly associationTypeIds: readonly number[]
}

/** A kind of tie, in one direction. `label: null` is the plain one. */
export type AssociationType = {
  readonly hubId: number
  readonly id: number
  readonly inverseId: number
  readonly category: 'HUBSPOT_DEFINED' | 'USER_DEFINED'
  readonly fromTypeId: string
  readonly toTypeId: string
  readonly name: string
  readonly label: string | null
}

export type AuthorizationCode = {
  readonly code: string
  readonly hubId: number
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly codeChallenge: string | null
  readonly expiresAt: number
  readonly used: boolean
}

export type RefreshToken = {
  readonly token: string
  readonly hubId: number
  readonly scopes: readonly string[]
  readonly revoked: boolean
}

export type AccessToken = {
  readonly token: string
  readonly hubId: number
  readonly scopes: readonly string[]
  readonly expiresAt: number
  readonly revoked: boolean
}
