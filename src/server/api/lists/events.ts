import { listTransactions } from '#contract/events.ts'
import { type Router, serve } from '../../http/serve.ts'
import { listEvents } from '../../store/lists/event-list.ts'
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
}
