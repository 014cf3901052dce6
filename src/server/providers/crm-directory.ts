/** One page of a search. `total` counts all that it found; a search shows only its first pages. */
export type CrmFound<Row> = { rows: Row[]; after: string | null; total: number }

/** The CRM's own companies and contacts, as matching and review look things up in them. */
export type CrmDirectory = {
  /** How many results of one search can be paged through. */
  searchResultsMax: number
  /** Companies whose name or domain contains the text, at most a short page. The index behind it lags by seconds. */
  searchCompanies(access: CrmAccess, text: string): Promise<CrmCompany[]>
  /** Companies that were changed since, by id. */
  searchChangedCompanies(access: CrmAccess, since: Date, after: string | null): Promise<CrmFound<CrmCompany>>
  /** Contacts that were changed since, by id, with their companies. */
  searchChangedContacts(access: CrmAccess, since: Date, after: string | null): Promise<CrmFound<CrmContact>>
  /** The companies themselves, without lag; what is gone is left out, and a merged one comes under its new id. */
  readCompanies(access: CrmAccess, recordIds: readonly string[]): Promise<CrmCompany[]>
  readContacts(access: CrmAccess, recordIds: readonly string[]): Promise<CrmContact[]>
  /** The companies that each contact is tied to by now, without lag. */
  listCompaniesOfContacts(access: CrmAccess, contactIds: readonly string[]): Promise<Map<string, string[]>>
}

/** The right to speak to one portal for a while. */
export type CrmAccess = {
  portalId: string
  /** The access token to use now; called with one that was just refused, it gives a newer one or throws. */
  token(refused?: string): Promise<string>
  /** Ends waits and requests early. */
  signal?: AbortSignal | undefined
}

export type CrmCompany = {
  recordId: string
  name: string | null
  /** As typed by people: with or without scheme, path and upper case. */
  domains: string[]
  /** As typed by people, like the domains. */
  website: string | null
  /** The key under which we created it; null for one that is none of ours. */
  createdFor: string | null
  /** Ids of records that were merged into this one. */
  mergedIds: string[]
}

export type CrmContact = {
  recordId: string
  /** The first address and the additional ones. */
  emails: string[]
  companyRecordIds: string[]
  /** The one of them that the CRM calls its primary company; null where it names none. */
  primaryCompanyId: string | null
  mergedIds: string[]
}
