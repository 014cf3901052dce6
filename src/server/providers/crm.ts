import type { CrmKind, CrmTarget, CrmValues } from '#domain/crm-record.ts'
import type { CrmAccess, CrmCompany, CrmContact, CrmDirectory } from './crm-directory.ts'

export type CrmTokens = {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  portalId: string
  scopes: string[]
}

/** What is shown and computed with of the connected portal. */
export type CrmAccount = {
  portalId: string
  /** Host of the portal's own pages, for links. */
  uiDomain: string | null
  timeZone: string | null
  currency: string | null
  accountType: string | null
}

/** One of our two objects as it stands in a portal. */
export type CrmObject = {
  kind: CrmKind
  /** null: there is none. */
  objectTypeId: string | null
  missingFields: string[]
  /** Fields of ours that lack some of the values they may have. */
  missingOptions: string[]
  missingTargets: CrmTarget[]
  /** Why the object cannot be used as it is; null when it can, or when only the above is missing. */
  problem: string | null
}

/** `isNew`: as far as we know, there is no record of this key yet. */
export type CrmWrite = { key: string; values: CrmValues; isNew: boolean }

/**
 * Refused for a reason of the whole account, in words for people: the one that was tried, and those that for this reason
 * were not.
 */
export type CrmHeld = { isTried: boolean }

/**
 * What became of one record. `refused`: this record as it is never works. `unknown`: the CRM did not say, and reading
 * back did not show it.
 */
export type CrmWriteOutcome =
  | { key: string; state: 'written'; recordId: string; updatedAt?: string | undefined }
  | { key: string; state: 'refused' | 'unknown'; message: string }
  | ({ key: string; state: 'held'; message: string } & CrmHeld)

/** A record that the CRM does not let go, with its reason. */
export type CrmRefusedRecord = { recordId: string; message: string; held?: CrmHeld }

/** A record's place: the object type's id in the portal. */
export type CrmObjectTypes = Readonly<Record<CrmKind, string>>

export type CrmPair = { fromId: string; toId: string }
/** `isUnknown`: the CRM did not say, and reading back did not show it. */
export type CrmPairOutcome = CrmPair &
  ({ isDone: true } | { isDone: false; isUnknown?: true; message: string; held?: CrmHeld })

/** A record of ours as it stands in the CRM. */
export type CrmStandingRecord = {
  recordId: string
  /** Our key as the record carries it; null where somebody emptied it or made the record by hand. */
  key: string | null
  /** ISO instant of the last change, by the CRM's clock. */
  updatedAt: string | null
  /** What stands in our fields, as far as the CRM told. */
  values: Readonly<Record<string, string>>
  /** Ids of records that were merged into this one. */
  mergedIds: string[]
  /** What it is associated with, target by target; a target is absent where the CRM did not tell of all. */
  tiedTo: Partial<Record<CrmTarget, string[]>>
}

export type CrmPage<Row> = { rows: Row[]; after: string | null }

/** `key` is unique among the companies that we create: their domain, or the customer for whom a person wants one. */
export type CrmCompanyDraft = { key: string; domain: string | null; name: string }

/** What became of a company to create: one that stands under the key already is `found`, and left as it is. */
export type CrmCompanyOutcome =
  | { key: string; state: 'created'; recordId: string }
  | { key: string; state: 'found'; company: CrmCompany }
  | { key: string; state: 'refused' | 'unknown'; message: string }
  | ({ key: string; state: 'held'; message: string } & CrmHeld)

export type CrmContactDraft = { email: string; companyRecordId: string | null }

/** The most inputs of one call. */
export type CrmLimits = { recordsPerBatch: number; pairsPerBatch: number; pairsPerRead: number }

/**
 * The CRM by its role. Every write is an upsert of our own records or an association that may be repeated; companies and
 * contacts are created, held together by key and address, and never written over. Failed calls throw a ProviderError,
 * failed records are outcomes.
 */
export type CrmPort = CrmDirectory & {
  /** The name people know it by. */
  name: string
  limits: CrmLimits

  authorizeUrl(request: { redirectUri: string; state: string }): string
  exchangeCode(request: { code: string; redirectUri: string }): Promise<CrmTokens>
  /** One attempt of a few seconds. A refresh token that is dead for good is `unauthorized`. */
  refreshTokens(refreshToken: string): Promise<CrmTokens>
  revokeTokens(refreshToken: string): Promise<void>
  getAccount(access: CrmAccess): Promise<CrmAccount>

  /** Name and label of an object of ours, for people. */
  describeObject(kind: CrmKind): { name: string; label: string }
  /** Scopes that making and writing our objects takes and that were not granted. */
  missingObjectScopes(scopes: readonly string[]): string[]
  findObjects(access: CrmAccess): Promise<CrmObject[]>
  /** How many more objects the portal's plan allows; null when it does not say. */
  findFreeObjectSlots(access: CrmAccess): Promise<number | null>
  /** Gives the new object type's id; null when its name is taken. The event object needs the subscription object's. */
  createObject(access: CrmAccess, kind: CrmKind, subscriptionTypeId: string | null): Promise<string | null>
  addFields(access: CrmAccess, kind: CrmKind, objectTypeId: string, fields: string[]): Promise<void>
  /** Adds what the fields' lists of values lack, and takes nothing out of them. */
  addOptions(access: CrmAccess, kind: CrmKind, objectTypeId: string, fields: string[]): Promise<void>
  addTargets(
    access: CrmAccess,
    kind: CrmKind,
    objectTypes: Partial<CrmObjectTypes>,
    targets: CrmTarget[],
  ): Promise<void>

  /** Writes at most `limits.recordsPerBatch` records by their key; gives an outcome for each. */
  upsertRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
    writes: readonly CrmWrite[],
  ): Promise<CrmWriteOutcome[]>
  /** Takes records out; gives those that the CRM refused to let go. May be repeated. */
  archiveRecords(
    access: CrmAccess,
    objectTypeId: string,
    recordIds: readonly string[],
  ): Promise<CrmRefusedRecord[]>

  /** How many records of ours there are, and those changed last, newest first. Lags behind writes by seconds. */
  findNewestRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
  ): Promise<{ total: number; rows: CrmStandingRecord[] }>
  /** Every record of ours, page by page, with what it is associated with. Lags behind nothing. */
  listRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypes: CrmObjectTypes,
    after: string | null,
  ): Promise<CrmPage<CrmStandingRecord>>
  /** Records by id: one that was merged into another comes as that one, one that is gone does not come. */
  readRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
    recordIds: readonly string[],
  ): Promise<CrmStandingRecord[]>
  /** Labels of the fields in which the record holds something else than these values. */
  changedFields(kind: CrmKind, values: CrmValues, record: CrmStandingRecord): string[]

  listCompanies(access: CrmAccess, after: string | null): Promise<CrmPage<CrmCompany>>
  listContacts(access: CrmAccess, after: string | null): Promise<CrmPage<CrmContact>>
  /** Makes the unique company property by which we create companies, unless it is there. */
  ensureCompanyKey(access: CrmAccess): Promise<void>
  /** Why that property could not be made or used as things stand, in words for people; null when nothing is known. */
  findCompanyKeyObstacle(access: CrmAccess, scopes: readonly string[]): Promise<string | null>
  /** Creates companies under unique keys of ours, at most `limits.recordsPerBatch`, where none stands under them. */
  createCompanies(access: CrmAccess, companies: readonly CrmCompanyDraft[]): Promise<CrmCompanyOutcome[]>
  /** Creates contacts by address, tied to their company; gives the existing one where there is one. */
  createContacts(access: CrmAccess, contacts: readonly CrmContactDraft[]): Promise<CrmWriteOutcome[]>
  /** Gives a company that we created another name and no domain; done is also one that is gone. */
  renameCompany(access: CrmAccess, recordId: string, name: string): Promise<void>
  /** Lets the CRM delete a contact for good, as privacy laws ask for; done is also one that is gone. May be repeated. */
  deleteContactForGood(access: CrmAccess, recordId: string): Promise<void>
  /** Ties contacts to companies as the CRM does by default; labels that people set are kept. */
  tieContacts(access: CrmAccess, pairs: readonly CrmPair[]): Promise<CrmPairOutcome[]>

  associate(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    pairs: readonly CrmPair[],
  ): Promise<CrmPairOutcome[]>
  /** Takes pairs apart; done is also a pair of which one record is gone. */
  dissociate(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    pairs: readonly CrmPair[],
  ): Promise<CrmPairOutcome[]>
  /** Which records each of the given ones is associated with. */
  listAssociated(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    fromIds: readonly string[],
  ): Promise<Map<string, string[]>>
}
