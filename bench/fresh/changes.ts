import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { deliveryOf, type WebhookEndpoint } from '#simulators/stripe/webhooks.ts'

/** Seconds from a change in Stripe until the ledger had it, and until HubSpot confirmed a record with it. */
export type ChangeArrival = { ledger: number; crm: number }

/** Each change gives the next customer with a subscription a new name. */
export type Changes = {
  /** Changes one customer, tells the endpoint if there is one, and waits until HubSpot has it. */
  change(endpoint?: WebhookEndpoint): Promise<ChangeArrival>
  close(): Promise<void>
}

type Payer = { customerId: string; subscriptionId: string }
const lookEveryMs = 100
const givesUpAfterMs = 10 * 60_000

export async function openChanges(ownerUrl: string, stripeUrl: string): Promise<Changes> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4 })
  // After a failure the database goes first.
  pool.on('error', () => {})
  const { rows: payers } = await pool.query<Payer>(
    `select customer_id as "customerId", min(source_id) as "subscriptionId"
       from crm_links join subscriptions on subscriptions.id = source_id
       join customers on customers.id = customer_id and not is_deleted
      where kind = 'subscription' and state = 'confirmed' group by 1 order by 1`,
  )
  let count = 0
  return {
    async change(endpoint) {
      const payer = payers[count % payers.length]
      if (!payer) throw new Error('no customer has a record in HubSpot')
      count += 1
      const name = `Harbour ${count}`
      const changedAt = Date.now()
      const event = await rename(stripeUrl, payer.customerId, name, `evt_fresh${count}`)
      if (endpoint) {
        const delivered = await fetch(deliveryOf(event, endpoint, event.created))
        if (!delivered.ok) throw new Error(`The webhook was answered with ${delivered.status}.`)
      }
      return untilArrived(pool, payer, name, changedAt)
    },
    close: () => pool.end(),
  }
}

/** Writes the new name and its event into the simulated account. */
async function rename(stripeUrl: string, id: string, name: string, eventId: string) {
  const headers = { authorization: 'Bearer sk_test_tributary_demo' }
  const customer = await (await fetch(`${stripeUrl}/v1/customers/${id}`, { headers })).json()
  const renamed = { ...customer, name }
  const created = Math.floor(Date.now() / 1000)
  const event = {
    id: eventId,
    object: 'event',
    type: 'customer.updated',
    created,
    livemode: false,
    data: { object: renamed },
  }
  const body = JSON.stringify({ put: { customers: [renamed], events: [event] } })
  const answer = await fetch(`${stripeUrl}/_changes`, { method: 'POST', body })
  if (!answer.ok) throw new Error(await answer.text())
  return event
}

async function untilArrived(
  pool: pg.Pool,
  payer: Payer,
  name: string,
  changedAt: number,
): Promise<ChangeArrival> {
  const arrival: Partial<ChangeArrival> = {}
  while (Date.now() - changedAt < givesUpAfterMs) {
    const { rows } = await pool.query<{ isStored: boolean; isConfirmed: boolean }>(
      `select name = $2 as "isStored", exists (
                select from crm_links l
                 where l.organization_id = c.organization_id and kind = 'subscription' and source_id = $3
                   and confirmed_at > to_timestamp($4::float8 / 1000)) as "isConfirmed"
         from customers c where id = $1`,
      [payer.customerId, name, payer.subscriptionId, changedAt],
    )
    const seconds = (Date.now() - changedAt) / 1_000
    if (rows[0]?.isStored) arrival.ledger ??= seconds
    if (arrival.ledger !== undefined && rows[0]?.isConfirmed) return { ledger: arrival.ledger, crm: seconds }
    await sleep(lookEveryMs)
  }
  const place = arrival.ledger === undefined ? 'the ledger' : 'HubSpot'
  throw new Error(`The change ${name} did not arrive in ${place}.`)
}
