import { getTransactionPlace, listTransactions } from '#contract/events.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { findEventPlace, listEvents } from '../../store/lists/event-list.ts'
import { readLinks } from '../links.ts'
import { toTransaction } from '../transaction.ts'

export function serveEvents(router: Router): void {
  serve(router, listTransactions, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { events, ...counted } = await listEvents(tenant, query)
      const links = await readLinks(deps, tenant)
      return { ...counted, transactions: events.map((row) => toTransaction(row, links)) }
    }),
  )

  serve(router, getTransactionPlace, ({ inOrganization }, { params }) =>
    inOrganization(async (tenant) => {
      const found = await findEventPlace(tenant, params.eventId)
      if (found === undefined)
        throw new Refusal('not_found', 'The requested event could not be found. Choose one on Events.')
      return found
    }),
  )
}
