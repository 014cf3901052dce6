import type { Env, Hono } from 'hono'
import { type AccountJson, idOf, type ListedKind, type SimulatedAccount } from '../world/account.ts'
import { type Html, html, page } from './html.ts'

const pages: Readonly<Record<string, ListedKind>> = {
  subscriptions: 'subscription',
  customers: 'customer',
  invoices: 'invoice',
}

const counted: readonly ListedKind[] = [
  'customer',
  'subscription',
  'invoice',
  'invoice_payment',
  'product',
  'price',
  'coupon',
  'payment_method',
  'event',
]

/** `/acct_x/test/invoices/in_x`; as in the real dashboard, the account may be left out, and so may `test`. */
const pagePath = /^(?:\/(acct_[A-Za-z0-9]+))?(?:\/test)?\/(subscriptions|customers|invoices)\/([^/]+)$/

/** Small pages in place of the dashboard, so that links from the product work. */
export function mountDashboard<E extends Env>(
  app: Hono<E>,
  account: () => SimulatedAccount,
  origin: string,
  isPermission: (word: string) => boolean,
): void {
  app.get('/', (context) => context.html(frontPage(account())))
  for (const mode of ['', '/test']) {
    app.get(`${mode}/apikeys/create`, (context) =>
      context.html(
        keyPage(context.req.query('name') ?? '', context.req.queries('permissions[]') ?? [], isPermission),
      ),
    )
    app.get(`${mode}/webhooks/create`, (context) => context.html(webhookPage(origin)))
  }
  app.get('*', async (context, next) => {
    const [, accountId, section, id] = pagePath.exec(context.req.path) ?? []
    const kind = pages[section ?? '']
    if (kind === undefined || id === undefined) return next()
    const current = account()
    const object = accountId === undefined || accountId === current.id ? current.find(kind, id) : undefined
    if (object === undefined) return context.html(missingPage(kind, id), 404)
    return context.html(objectPage(kind, object, current, origin))
  })
}

function frontPage(account: SimulatedAccount): string {
  const rows = counted.map((kind) => html`<tr><th>${kind}</th><td>${account.collection(kind).size}</td></tr>`)
  return page(
    'Simulated Stripe',
    html`<p>Account ${account.id}, as of ${isoDay(account.nowSeconds)}.</p><table>${rows}</table>`,
  )
}

/** The form that Stripe fills in from the address; permissions that it does not know it would leave out. */
function keyPage(name: string, asked: readonly string[], isPermission: (word: string) => boolean): string {
  const rows = asked.map(
    (permission) =>
      html`<tr><th>${permission}</th><td>${isPermission(permission) ? 'Read' : 'unknown'}</td></tr>`,
  )
  return page(
    'Create a restricted key',
    html`<p>Name: ${name}. No key is made here: use rk_test_tributary_demo.</p><table>${rows}</table>`,
  )
}

function webhookPage(origin: string): string {
  return page(
    'Add an endpoint',
    html`<p>No endpoint is added here: POST {url, secret} to ${origin}/_webhooks with a secret of your own.</p>`,
  )
}

function missingPage(kind: string, id: string): string {
  return page(`No such ${kind}`, html`<p>This account has no ${kind} ${id}.</p>`)
}

function objectPage(
  kind: ListedKind,
  object: AccountJson,
  account: SimulatedAccount,
  origin: string,
): string {
  const rows = Object.entries(object).map(
    ([field, value]) =>
      html`<tr><th>${field}</th><td>${fieldValue(field, value, account.id, origin)}</td></tr>`,
  )
  return page(`${kind} ${idOf(object) ?? ''}`, html`<table>${rows}</table>`)
}

/** A field named after a page links to it; hashes are shown as JSON. */
function fieldValue(field: string, value: unknown, accountId: string, origin: string): Html | string {
  const id = idOf(value)
  const section = field === 'latest_invoice' ? 'invoices' : `${field}s`
  if (id !== undefined && pages[section] !== undefined)
    return html`<a href="${origin}/${accountId}/test/${section}/${id}">${id}</a>`
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) return html`<pre>${JSON.stringify(value, null, 2)}</pre>`
  return String(value)
}

function isoDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
