import type { CrmCompanyDraft, CrmContactDraft, CrmPort } from '../../providers/crm.ts'

/** What matching would have created. */
export type Predicted = {
  crm: CrmPort
  companies: ReadonlySet<string>
  contacts: ReadonlyMap<string, CrmContactDraft>
  isPredicted(recordId: string): boolean
}

/** The only calls that a prediction may pass on to the real CRM. */
const asked: ReadonlySet<string> = new Set<keyof CrmPort>(['name', 'limits', 'readCompanies'])

/**
 * A CRM that pretends to create records and keeps them in memory. It refuses every other call, so that a prediction
 * writes nothing. `id` separates its records from those of a parallel prediction.
 */
export function predictCrm(crm: CrmPort, id: string): Predicted {
  // No real CRM id starts like this.
  const prefix = `predicted ${id} `
  const companies = new Set<string>()
  const contacts = new Map<string, CrmContactDraft>()
  // With a time, as of a write: a record without one would have stood there before.
  const updatedAt = new Date(0).toISOString()
  const written = (keys: readonly string[]) =>
    keys.map((key) => ({ key, state: 'written', recordId: `${prefix}${key}`, updatedAt }) as const)
  const taught: Partial<CrmPort> = {
    createCompanies: async (_access, drafts: readonly CrmCompanyDraft[]) => {
      for (const { key } of drafts) companies.add(key)
      return drafts.map(({ key }) => ({ key, state: 'created', recordId: `${prefix}${key}` }))
    },
    tieContacts: async (_access, pairs) => pairs.map((pair) => ({ ...pair, isDone: true })),
    createContacts: async (_access, drafts) => {
      for (const draft of drafts) contacts.set(`${prefix}${draft.email}`, draft)
      return written(drafts.map(({ email }) => email))
    },
    async listCompaniesOfContacts(_access, contactIds) {
      const ties = contactIds.map((id): [string, string[]] => {
        const companyRecordId = contacts.get(id)?.companyRecordId ?? null
        return [id, companyRecordId === null ? [] : [companyRecordId]]
      })
      return new Map(ties)
    },
  }
  return {
    companies,
    contacts,
    isPredicted: (recordId) => recordId.startsWith(prefix),
    crm: new Proxy(crm, {
      get(target, name) {
        const own: unknown = Reflect.get(taught, name)
        if (own !== undefined) return own
        if (typeof name !== 'string' || !asked.has(name))
          throw new TypeError(`A prediction does not ask the CRM for ${String(name)}.`)
        return Reflect.get(target, name)
      },
    }),
  }
}
