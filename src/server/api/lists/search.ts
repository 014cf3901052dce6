import { type SearchHit, searchRecords } from '#contract/lists/search.ts'
import { type Router, serve } from '../../http/serve.ts'
import { type FoundRecord, findRecords } from '../../store/lists/find-records.ts'

export function serveSearch(router: Router): void {
  serve(router, searchRecords, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const found = await findRecords(tenant, query.query)
      const exact = found.filter(({ isId }) => isId)
      const isId = exact.length > 0
      return { isId, hits: (isId ? exact : found).map(toHit) }
    }),
  )
}

function toHit(found: FoundRecord): SearchHit {
  const { kind, id, customerId, subscriptionId, companyName, customerName, email } = found
  // As the list of each kind names its rows.
  const isCustomer = kind === 'customer'
  const title = (isCustomer ? customerName || email : companyName || customerName || email) || customerId
  const details = isCustomer ? [companyName, email] : [customerName, found.productName, found.status, id]
  return {
    kind,
    id,
    title,
    detail: details.filter((text) => Boolean(text) && text !== title).join(' · '),
    opens:
      isCustomer || subscriptionId === null
        ? { kind: 'customer', id: customerId }
        : { kind: 'subscription', id: subscriptionId },
  }
}
