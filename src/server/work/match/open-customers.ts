import { listOpenCustomers, type OpenCustomer } from '../../store/matches/matches.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { MatchSession } from './session.ts'

const customersPerPage = 500

/** Customers that lack a company or a contact, a page at a time. */
export async function* openCustomers(session: MatchSession): AsyncGenerator<OpenCustomer[]> {
  const { deps, organizationId, access, changedIds } = session
  let afterId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const page = await inOrganization(deps.database, organizationId, (tenant) =>
      listOpenCustomers(tenant, access.portalId, { afterId, limit: customersPerPage, changedIds }),
    )
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < customersPerPage) return
    afterId = last.customerId
  }
}
