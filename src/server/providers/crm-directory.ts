import type { CrmAccess, CrmCompany, CrmContact } from './crm.ts'

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
