import type { CrmKind, CrmTarget, CrmValues } from '#domain/crm-record.ts'

/** The right to speak to one portal for a while. */
export type CrmAccess = {
  portalId: string
  /** The access token to use now; called with one that was just refused, it gives a newer one or throws. */
  token(refused?: string): Promise<string>
  /** Ends waits and requests early. */
  signal?: AbortSignal | undefined
}

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
  missingTargets: CrmTarget[]
  /** Why the object cannot be used as it is; null when it can, or when only the above is missing. */
  problem: string | null
}

export type CrmWrite = { key: string; values: CrmValues }

/**
 * What became of one record. `refused`: this record as it is never works. `unknown`: the CRM did not say, and reading
 * back did not show it.
 */
export type CrmWriteOutcome =
  | { key: string; state: 'written'; recordId: string }
  | { key: string; state: 'refused' | 'unknown'; message: string }

/** A record's place: the object type's id in the portal. */
export type CrmObjectTypes = Readonly<Record<CrmKind, string>>

export type CrmPair = { fromId: string; toId: string }
export type CrmPairOutcome = CrmPair & ({ isDone: true } | { isDone: false; message: string })

export type CrmPage<Row> = { rows: Row[]; after: string | null }

export type CrmCompany = {
  recordId: string
  name: string | null
  /** As typed by people: with or without scheme, path and upper case. */
  domains: string[]
  /** Ids of records that were merged into this one. */
  mergedIds: string[]
}

export type CrmContact = {
  recordId: string
  /** The first address and the additional ones. */
  emails: string[]
  companyRecordIds: string[]
  mergedIds: string[]
}

export type CrmContactDraft = { email: string; companyRecordId: string | null }

/** The most inputs of one call. */
export type CrmLimits = { recordsPerBatch: number; pairsPerBatch: number; pairsPerRead: number }

/**
 * The CRM by its role. Every write is an upsert or an association that may be repeated; creating a contact is held
 * together by its address. Failed calls throw a ProviderError, failed records are outcomes.
 */
export type CrmPort = {
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
  /** Gives the new object type's id. The event object needs the subscription object's. */
  createObject(access: CrmAccess, kind: CrmKind, subscriptionTypeId: string | null): Promise<string>
  addFields(access: CrmAccess, kind: CrmKind, objectTypeId: string, fields: string[]): Promise<void>
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
  archiveRecords(access: CrmAccess, objectTypeId: string, recordIds: readonly string[]): Promise<void>

  listCompanies(access: CrmAccess, after: string | null): Promise<CrmPage<CrmCompany>>
  listContacts(access: CrmAccess, after: string | null): Promise<CrmPage<CrmContact>>
  /** Makes the unique company property by which we create companies, unless it is there. */
  ensureCompanyKey(access: CrmAccess): Promise<void>
  /** Creates companies by registrable domain, or finds the ones created so before. */
  upsertCompanies(
    access: CrmAccess,
    companies: readonly { domain: string; name: string }[],
  ): Promise<CrmWriteOutcome[]>
  /** Creates contacts by address, tied to their company; gives the existing one where there is one. */
  createContacts(access: CrmAccess, contacts: readonly CrmContactDraft[]): Promise<CrmWriteOutcome[]>

  associate(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    pairs: readonly CrmPair[],
  ): Promise<CrmPairOutcome[]>
  dissociate(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    pairs: readonly CrmPair[],
  ): Promise<void>
  /** Which records each of the given ones is associated with. */
  listAssociated(
    access: CrmAccess,
    from: string,
    to: 'company' | 'contact' | { objectTypeId: string },
    fromIds: readonly string[],
  ): Promise<Map<string, string[]>>
}
