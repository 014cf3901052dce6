import { type AskProvider, at, listAt } from './ask.ts'

/** What several questions look at, read once. */
export type StripeAccount = {
  prices: Map<string, unknown>
  invoices: unknown[]
  subscriptions: unknown[]
  customers: unknown[]
  /** Names of the headers of an ordinary answer. */
  headerNames: string[]
}

const pagesMax = 10

/** Reads the newest thousand objects of each list. Throws, in one line, if the key may not read one. */
export async function readStripeAccount(ask: AskProvider): Promise<StripeAccount> {
  const prices = [
    ...(await readList(ask, '/v1/prices?active=true')),
    ...(await readList(ask, '/v1/prices?active=false')),
  ]
  const first = await ask('GET', '/v1/customers?limit=1')
  return {
    prices: new Map(prices.map((price) => [String(at(price, 'id')), price])),
    // A key that may not read coupons gets no invoice with one; then nothing is said of coupons.
    invoices: await readList(ask, '/v1/invoices?expand[]=data.discounts.source.coupon').catch(() =>
      readList(ask, '/v1/invoices?'),
    ),
    subscriptions: await readList(ask, '/v1/subscriptions?status=all'),
    customers: await readList(ask, '/v1/customers?'),
    headerNames: [...first.headers.keys()],
  }
}

async function readList(ask: AskProvider, path: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for (let page = 0; page < pagesMax; page += 1) {
    const after = rows.length === 0 ? '' : `&starting_after=${String(at(rows.at(-1), 'id'))}`
    const { status, body } = await ask('GET', `${path}&limit=100${after}`.replace('?&', '?'))
    if (status !== 200) throw new Error(`Stripe answered ${status} for ${path.split('?')[0]}.`)
    rows.push(...listAt(body, 'data'))
    if (at(body, 'has_more') !== true) break
  }
  return rows
}
