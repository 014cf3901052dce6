import { createHmac } from 'node:crypto'
import { renderEvent } from './objects/render.ts'
import { isRecord, type StripeObject } from './world/world.ts'

/** The target of events, like an endpoint in Stripe's dashboard, in one of Stripe's two payload styles. */
export type WebhookEndpoint = { url: string; secret: string; style?: 'snapshot' | 'thin' }

/** Stripe's signature header of a delivery: HMAC-SHA256 over `t.body`, one `v1` for each valid secret. */
export function signatureHeader(body: string, secrets: readonly string[], atSeconds: number): string {
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
    return `v1=${signature}`
  })
  return [`t=${atSeconds}`, ...signatures, `v0=${'0'.repeat(64)}`].join(',')
}

/** One event as it is posted to an endpoint. */
export function deliveryOf(event: StripeObject, endpoint: WebhookEndpoint, atSeconds: number): Request {
  const body = JSON.stringify(endpoint.style === 'thin' ? thinOf(event) : renderEvent(event), null, 2)
  return new Request(endpoint.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signatureHeader(body, [endpoint.secret], atSeconds),
    },
    body,
  })
}

const collections: Readonly<Record<string, string>> = {
  product: 'products',
  price: 'prices',
  coupon: 'coupons',
  customer: 'customers',
  subscription: 'subscriptions',
  invoice: 'invoices',
  invoice_payment: 'invoice_payments',
  payment_method: 'payment_methods',
}

/**
 * The same event in the thin style: the type with `v1.`, the object by its address alone. A discount has no id of its
 * own, and is addressed through its customer or subscription.
 */
export function thinOf({ id, type, created, livemode, data }: StripeObject): Record<string, unknown> {
  const object = isRecord(data) && isRecord(data['object']) ? data['object'] : {}
  const kind = String(object['object'])
  return {
    id: `${id}_thin`,
    object: 'v2.core.event',
    type: `v1.${type}`,
    created: new Date(created * 1000).toISOString(),
    livemode,
    context: null,
    reason: null,
    snapshot_event: id,
    related_object:
      kind === 'discount'
        ? { type: kind, url: `${discountedBy(object)}/discount` }
        : { id: object['id'], type: kind, url: `/v1/${collections[kind] ?? kind}/${object['id']}` },
  }
}

function discountedBy({ subscription, customer }: Record<string, unknown>): string {
  return subscription ? `/v1/subscriptions/${subscription}` : `/v1/customers/${customer}`
}

type Send = (request: Request) => Promise<Response>

/** The endpoints of the simulated account, and the events that each has received. */
export class WebhookSender {
  #endpoints: WebhookEndpoint[] = []
  readonly #sent = new Set<string>()
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  get endpoints(): readonly string[] {
    return this.#endpoints.map(({ url }) => url)
  }

  /** Sends later events there, that is those not among `known`. */
  add(endpoint: WebhookEndpoint, known: readonly { id: string }[]): void {
    this.#endpoints.push(endpoint)
    for (const { id } of known) this.#sent.add(id)
  }

  clear(): void {
    this.#endpoints = []
  }

  /** Sends each new event once to each endpoint, oldest first; returns the statuses, 0 if no answer came. */
  async deliver(events: readonly StripeObject[], atSeconds: number): Promise<number[]> {
    const statuses: number[] = []
    for (const event of events) {
      if (this.#sent.has(event.id)) continue
      this.#sent.add(event.id)
      for (const endpoint of this.#endpoints) {
        const answer = await this.#send(deliveryOf(event, endpoint, atSeconds)).catch(() => undefined)
        statuses.push(answer?.status ?? 0)
      }
    }
    return statuses
  }
}
