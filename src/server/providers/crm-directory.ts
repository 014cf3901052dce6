import type { CompanyFacts } from '#domain/company.ts'
import type { OnHeard } from './provider-error.ts'

/** One page of a search. `total` counts all results; a search shows only its first pages. */
export type CrmFound<Row> = { rows: Row[]; after: string | null; total: number }

/** Searches and reads the CRM's own companies and contacts, for matching and review. */
export type CrmDirectory = {
  /** How many results of one search can be read page by page. */
  searchResultsMax: number
  /**
   * Companies whose name or domain contains the text, at most one short page. The search index is some seconds
   * late.
   */
  searchCompanies(access: CrmAccess, text: string): Promise<CrmCompany[]>
  /** Companies that changed since then, by id. */
  searchChangedCompanies(access: CrmAccess, since: Date, after: string | null): Promise<CrmFound<CrmCompany>>
  /** Contacts that changed since then, by id, with their companies. */
  searchChangedContacts(access: CrmAccess, since: Date, after: string | null): Promise<CrmFound<CrmContact>>
  /** Reads the companies by id, without delay. Deleted ones are left out; a merged one has its new id. */
  readCompanies(access: CrmAccess, recordIds: readonly string[]): Promise<CrmCompany[]>
  readContacts(access: CrmAccess, recordIds: readonly string[]): Promise<CrmContact[]>
  /** The current companies of each contact, without delay. */
  listCompaniesOfContacts(access: CrmAccess, contactIds: readonly string[]): Promise<Map<string, string[]>>
}

/** Access to one portal for a limited time. */
export type CrmAccess = {
  portalId: string
  /** The current access token. When called with a token that was just refused, it returns a newer one or throws. */
  token(refused?: string): Promise<string>
  /** Ends waits and requests early. */
  signal?: AbortSignal | undefined
  /** Told after each request whether it was answered, also with a refusal. */
  onHeard?: OnHeard | undefined
}

export type CrmCompany = {
  recordId: string
  name: string | null
  /** As people typed it: with or without scheme, path and upper case. */
  domains: string[]
  /** As people typed them, like the domains. */
  website: string | null
  /** The key under which we created it; null when we did not create it. */
  createdFor: string | null
  facts: CompanyFacts
  /** Ids of records that were merged into this one. */
  mergedIds: string[]
}

export type CrmContact = {
  recordId: string
  /** The primary address and the additional ones. */
  emails: string[]
  companyRecordIds: string[]
  /** The company that the CRM calls primary; null when it names none. */
  primaryCompanyId: string | null
  mergedIds: string[]
}
