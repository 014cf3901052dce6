import type { OpenAnswers } from './open-answers.ts'
import type { PortalTier, SchemaRefusals } from './options.ts'
import type { HostSpelling } from './properties/email.ts'

export const contactTypeId = '0-1'
export const companyTypeId = '0-2'
export const dealTypeId = '0-3'

/** One HubSpot account and its switches. */
export type Portal = {
  readonly hubId: number
  readonly name: string
  readonly domain: string
  readonly tier: PortalTier
  readonly customObjectLimit: number
  /** The region of its data, which appears in the address of its pages. */
  readonly dataHostingLocation: 'na1' | 'eu1'
  /** HubSpot's setting "Create and associate companies with contacts". */
  readonly createCompaniesFromContacts: boolean
  /** When that was last switched on, and the newest record at that time. */
  readonly createCompaniesSince: { readonly at: number; readonly recordId: number }
  /** Domains that an admin excluded from that setting. */
  readonly optedOutDomains: readonly string[]
  /**
   * Whether refreshing replaces the refresh token. HubSpot documents no such rotation, but a client must survive it.
   */
  readonly rotateRefreshTokens: boolean
  /** How the portal stores non-ASCII hosts of addresses. */
  readonly emailHosts: HostSpelling
  /** Properties an admin made required on create, by object type id. */
  readonly adminRequired: Readonly<Record<string, readonly string[]>>
  /** Whether a new or removed tie counts as a change of the contact. HubSpot does not say; no by default. */
  readonly associationsMoveContacts?: boolean
  /** `STANDARD` by default; HubSpot also has DEVELOPER_TEST, SANDBOX and APP_DEVELOPER. */
  readonly accountType?: string
  /** USD by default. */
  readonly companyCurrency?: string
  /** Dated rates to the company currency; some usual ones by default. */
  readonly exchangeRates?: readonly PortalRate[]
  /** No limits by default. */
  readonly limits?: PortalLimits
  /** How changes of schemas are refused, although the scope was granted; absent: they are not. */
  readonly schemaRefusals?: SchemaRefusals
  /** The usual ones by default. */
  readonly openAnswers?: OpenAnswers
}

/** What one unit of a currency is worth in the company currency since a time, in milliseconds. */
export type PortalRate = {
  readonly from: string
  readonly to: string
  readonly rate: number
  readonly effectiveAt: number
}

/** The limits of the plan or of an admin. */
export type PortalLimits = {
  /** How many records of one type a record of another may be tied to, by object type ids. */
  readonly associations: readonly { readonly from: string; readonly to: string; readonly max: number }[]
  /** The most records of all custom objects together; null for no limit. */
  readonly customRecords: number | null
  /** The most records of one type, by its id. */
  readonly recordsOfType: Readonly<Record<string, number>>
  /** Whether a batch over the limit loses only the row in excess, or is refused whole: HubSpot does not say. */
  readonly refusal: 'row' | 'batch'
}

/** A custom object's definition. Its properties and association types are stored separately. */
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
  /** Whether a number is shown as money. */
  readonly showCurrencySymbol: boolean
  /** The property of the same record that holds the code of the currency; it need not exist. */
  readonly currencyPropertyName: string | null
  readonly hubspotDefined: boolean
  readonly readOnlyValue: boolean
  /** Whether HubSpot calculates the value, so that nobody can write it. */
  readonly calculated?: boolean
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
  /** The id of the record into which this one was merged. */
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

/** A key of one account that a super admin made; it has no refresh token and no fixed end. */
export type ServiceKey = {
  readonly key: string
  readonly hubId: number
  readonly name: string
  readonly scopes: readonly string[]
  /** When a rotated key ends; null for a key that was not rotated. */
  readonly expiresAt: number | null
  readonly deleted: boolean
}

/** What the app's own file says; null allows everything. */
export type AppFile = {
  readonly requiredScopes: readonly string[] | null
  readonly optionalScopes: readonly string[] | null
  /** The accounts that may install a private app. */
  readonly allowedAccounts: readonly number[] | null
}

export type AccessToken = {
  readonly token: string
  readonly hubId: number
  readonly scopes: readonly string[]
  readonly expiresAt: number
  readonly revoked: boolean
}
