import type { CrmKind, CrmTarget, CrmValues } from '#domain/crm-record.ts'
import type { CrmExchangeRate } from '#domain/reporting/crm-rates.ts'
import type { CrmAmount, CrmObjectAmounts } from './crm-amounts.ts'
import type { CrmAccess, CrmCompany, CrmContact } from './crm-directory.ts'
import type { CrmPage, CrmReading } from './crm-standing.ts'

export type CrmTokens = {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  portalId: string
  scopes: string[]
}

/**
 * What scopes are for. `connection`: companies and contacts, without which nothing works; `objects`: creating our
 * objects; `records`: reading and writing their records; `rates`: reading exchange rates.
 */
export type CrmScopePurpose = 'connection' | 'objects' | 'records' | 'rates'

/** A scope that a service key should have, and what we do with it. `makesObjects`: it is for creating our objects. */
export type CrmKeyScope = { name: string; use: string; isOptional: boolean; makesObjects: boolean }

/** The facts about the connected portal that screens and calculations need. */
export type CrmAccount = {
  portalId: string
  /** The host of the portal's own pages, for links. */
  uiDomain: string | null
  timeZone: string | null
  currency: string | null
  accountType: string | null
}

/** One of our two objects in its current state in a portal. */
export type CrmObject = {
  kind: CrmKind
  /** null: there is none. */
  objectTypeId: string | null
  /** Whether it bears the mark of our own request. Otherwise somebody else made it. */
  isMadeByUs: boolean
  missingFields: string[]
  /** Our fields that lack some of their allowed values. */
  missingOptions: string[]
  missingTargets: CrmTarget[]
  /** The fields of converted amounts that can be written, and those that are not there. */
  converted: { usable: string[]; missing: string[] }
  /**
   * Why the object cannot be used in its current state; null when it can, or when only the items above are
   * missing.
   */
  problem: string | null
}

/**
 * How an object in the portal differs from ours, in words for people. `blocks`: it cannot be used; `missing`: it can be
 * added; `looks`: it only changes how HubSpot shows and finds records. `property` is null for the object itself.
 */
export type CrmDifference = {
  property: string | null
  effect: 'blocks' | 'missing' | 'looks'
  text: string
}

/** `objectTypeId` is null where the portal has no object of our name. */
export type CrmComparison = Pick<CrmObject, 'kind' | 'objectTypeId' | 'isMadeByUs'> & {
  differences: CrmDifference[]
}

/** What a person has to enter to make one of our objects by hand, in the words of the CRM's settings. */
export type CrmObjectPlan = {
  name: string
  singular: string
  plural: string
  primaryDisplay: string
  secondaryDisplay: string[]
  searchable: string[]
  associations: string[]
  properties: {
    name: string
    label: string
    type: string
    isUnique: boolean
    options: { label: string; value: string }[]
  }[]
}

/** `isNew`: as far as we know, no record with this key exists yet. */
export type CrmWrite = { key: string; values: CrmValues; isNew: boolean }

/**
 * A refusal that concerns the whole account, in words for people. `isTried` is false for records that were skipped
 * for this reason.
 */
export type CrmHeld = { isTried: boolean }

/**
 * The result for one record. `refused`: this record can never be written in this form. `unknown`: the CRM gave no
 * result, and reading the record did not show it.
 */
export type CrmWriteOutcome =
  | { key: string; state: 'written'; recordId: string; updatedAt?: string | undefined }
  | { key: string; state: 'refused' | 'unknown'; message: string }
  | ({ key: string; state: 'held'; message: string } & CrmHeld)

/** A record that the CRM refused to delete, with the reason. */
export type CrmRefusedRecord = { recordId: string; message: string; held?: CrmHeld }

/** The id of each object type in the portal. */
export type CrmObjectTypes = Readonly<Record<CrmKind, string>>

export type CrmPair = { fromId: string; toId: string }
/** `isUnknown`: the CRM gave no result, and reading the pair did not show it. */
export type CrmPairOutcome = CrmPair &
  ({ isDone: true } | { isDone: false; isUnknown?: true; message: string; held?: CrmHeld })

/**
 * `key` is unique among the companies that we create: the domain, or the customer when a person asked for a
 * company.
 */
export type CrmCompanyDraft = { key: string; domain: string | null; name: string }

/** The result for a company to create. `found`: the key already existed, and that company was not changed. */
export type CrmCompanyOutcome =
  | { key: string; state: 'created'; recordId: string }
  | { key: string; state: 'found'; company: CrmCompany }
  | { key: string; state: 'refused' | 'unknown'; message: string }
  | ({ key: string; state: 'held'; message: string } & CrmHeld)

export type CrmContactDraft = { email: string; companyRecordId: string | null }

/** The largest number of inputs per call. */
export type CrmLimits = { recordsPerBatch: number; pairsPerBatch: number; pairsPerRead: number }

/**
 * The CRM by its role. Writes are upserts of our own records, or associations, and may be repeated. Companies and
 * contacts are created but never overwritten. Failed calls throw a ProviderError; failed records are outcomes.
 */
export type CrmPort = CrmReading & {
  /** The name people know it by. */
  name: string
  limits: CrmLimits

  /** Whether people can connect by consent; otherwise only by a service key. */
  hasApp: boolean
  authorizeUrl(request: { redirectUri: string; state: string }): string
  exchangeCode(request: { code: string; redirectUri: string }): Promise<CrmTokens>
  /** Makes one attempt of a few seconds. A refresh token that no longer works is `unauthorized`. */
  refreshTokens(refreshToken: string): Promise<CrmTokens>
  revokeTokens(refreshToken: string): Promise<void>
  getAccount(access: CrmAccess): Promise<CrmAccount>
  /** Every dated rate of the account. Reads only. */
  listExchangeRates(access: CrmAccess): Promise<CrmExchangeRate[]>
  /** The web domain by which people know the portal of a consent; null when the CRM names none. */
  findPortalDomain(access: CrmAccess): Promise<string | null>
  /** The portal and the scopes of a service key. A key that the CRM does not know is `unauthorized`. */
  inspectKey(key: string): Promise<{ portalId: string; scopes: string[] }>
  /** Says what the text is, if its form shows that it is no service key; null otherwise. */
  wrongKindOfKey(text: string): string | null
  /** Where in the CRM people make service keys. */
  keyPlace: string
  keyScopes: readonly CrmKeyScope[]
  missingScopes(scopes: readonly string[], purpose: CrmScopePurpose): string[]

  /** The name and label of one of our objects, for people. */
  describeObject(kind: CrmKind): { name: string; label: string }
  findObjects(access: CrmAccess): Promise<CrmObject[]>
  /** Compares the objects of our names with ours, reading only. */
  compareObjects(access: CrmAccess, isConverted: boolean): Promise<CrmComparison[]>
  /** How the portal shows the amounts of the objects of our names that it has. Reads only. */
  findAmounts(access: CrmAccess): Promise<CrmObjectAmounts[]>
  /** Has an amount shown in the currency of its record. Nobody can undo this, not even in the CRM. May be repeated. */
  bindAmount(access: CrmAccess, objectTypeId: string, amount: CrmAmount): Promise<void>
  /** In the order in which they have to be made. `isConverted`: with the fields of converted amounts. */
  planObjects(isConverted: boolean): CrmObjectPlan[]
  /** How many more objects the portal's plan allows; null when the CRM does not say. */
  findFreeObjectSlots(access: CrmAccess): Promise<number | null>
  /** Why no more companies, contacts or records of ours fit into the portal; empty when there is room. */
  findFullTypes(access: CrmAccess): Promise<string[]>
  /**
   * Returns the id of the new object type; null when its name is taken. The event object needs the subscription
   * object's id.
   */
  createObject(access: CrmAccess, kind: CrmKind, subscriptionTypeId: string | null): Promise<string | null>
  addFields(access: CrmAccess, kind: CrmKind, objectTypeId: string, fields: string[]): Promise<void>
  /** Adds missing values to the fields' lists of values, and removes none. */
  addOptions(access: CrmAccess, kind: CrmKind, objectTypeId: string, fields: string[]): Promise<void>
  addTargets(
    access: CrmAccess,
    kind: CrmKind,
    objectTypes: Partial<CrmObjectTypes>,
    targets: CrmTarget[],
  ): Promise<void>

  /** Writes at most `limits.recordsPerBatch` records by key and returns an outcome for each. */
  upsertRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
    writes: readonly CrmWrite[],
  ): Promise<CrmWriteOutcome[]>
  /** Gives records that stand under these ids their keys again. May be repeated. */
  restoreKeys(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
    records: readonly { recordId: string; key: string }[],
  ): Promise<CrmWriteOutcome[]>
  /** Deletes records and returns those that the CRM refused to delete. May be repeated. */
  archiveRecords(
    access: CrmAccess,
    objectTypeId: string,
    recordIds: readonly string[],
  ): Promise<CrmRefusedRecord[]>

  listCompanies(access: CrmAccess, after: string | null): Promise<CrmPage<CrmCompany>>
  listContacts(access: CrmAccess, after: string | null): Promise<CrmPage<CrmContact>>
  /** Creates the unique company property that identifies the companies we create, unless it exists. */
  ensureCompanyKey(access: CrmAccess): Promise<void>
  /** Why that property cannot be created or used now, in words for people; null when no reason is known. */
  findCompanyKeyObstacle(access: CrmAccess, scopes: readonly string[]): Promise<string | null>
  /** Creates companies with our unique keys, at most `limits.recordsPerBatch`, where no company has the key yet. */
  createCompanies(access: CrmAccess, companies: readonly CrmCompanyDraft[]): Promise<CrmCompanyOutcome[]>
  /**
   * Creates contacts by address and associates them with their company. Returns the existing contact where there
   * is one.
   */
  createContacts(access: CrmAccess, contacts: readonly CrmContactDraft[]): Promise<CrmWriteOutcome[]>
  /**
   * Renames a company that we created, unless `name` is null, and removes its domain and our key from it. A deleted company
   * counts as done.
   */
  clearCompany(
    access: CrmAccess,
    recordId: string,
    what: { name: string | null; domain: boolean; key: boolean },
  ): Promise<void>
  /**
   * Asks the CRM to delete a contact permanently, as privacy laws require. A deleted contact counts as done. May
   * be repeated.
   */
  deleteContactForGood(access: CrmAccess, recordId: string): Promise<void>
  /** Associates contacts with companies by the CRM's default type. Labels that people set are kept. */
  tieContacts(access: CrmAccess, pairs: readonly CrmPair[]): Promise<CrmPairOutcome[]>

  associate(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    pairs: readonly CrmPair[],
  ): Promise<CrmPairOutcome[]>
  /** Removes associations. A pair with a deleted record counts as done. */
  dissociate(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    pairs: readonly CrmPair[],
  ): Promise<CrmPairOutcome[]>
  /** The records that each given record is associated with. */
  listAssociated(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    fromIds: readonly string[],
  ): Promise<Map<string, string[]>>
}
