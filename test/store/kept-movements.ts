import { addMonths } from '#domain/date-range.ts'
import { monthsBetween } from '#domain/month.ts'
import { run as query } from '../database.ts'

type StoredEvent = {
  organization_id: number
  subscription_id: string
  customer_id: string
  day: string
  position: number
  id: string
  mrr_status: string
  before: number
  after: number
  reported: number | null
  currency: string
  product_name: string | null
  plan_name: string | null
  days: string | null
  size: string | null
  is_of_subscription: boolean
  is_of_customer: boolean
}

/**
 * The totals of movements that differ from a plain count of the events, over all organizations that are counted. Counts
 * event by event in its own words, so that a fault of the product's counting shows.
 */
export async function movementFaults(ownerUrl: string): Promise<string[]> {
  const counted = countEvents(
    await query<StoredEvent>(
      ownerUrl,
      `select e.organization_id, e.subscription_id, e.customer_id, (e.occurred_at at time zone 'UTC')::date::text as day,
              e.position, e.id, e.mrr_status, e.previous_mrr_cents::float8 as before,
              e.current_mrr_cents::float8 as after, e.reporting_change_cents::float8 as reported, e.currency, s.product_name, s.plan_name,
              s.billing_interval_days::text as days, s.size, s.id is not null as is_of_subscription,
              exists (select from customers c where c.organization_id = e.organization_id and c.id = e.customer_id) as is_of_customer
         from events e
         left join subscriptions s on s.organization_id = e.organization_id and s.id = e.subscription_id
        order by e.organization_id, e.customer_id, e.occurred_at, e.position, e.id`,
    ),
  )
  const kept = await query<{ line: string }>(
    ownerUrl,
    `select concat_ws('|', organization_id, dimension, value, month, movement, currency, sum(event_count),
                      sum(change_cents), sum(reporting_cents), sum(unconverted_cents), sum(customer_count),
                      sum(subscription_count)) as line
       from movement_totals group by organization_id, dimension, value, month, movement, currency
     having sum(event_count) <> 0 or sum(change_cents) <> 0 or sum(reporting_cents) <> 0 or sum(customer_count) <> 0
         or sum(subscription_count) <> 0`,
  )
  const keptLines = new Set(kept.map(({ line }) => line))
  return [
    ...[...keptLines].filter((line) => !counted.has(line)).map((line) => `kept ${line}`),
    ...[...counted].filter((line) => !keptLines.has(line)).map((line) => `counted ${line}`),
  ].sort()
}

type Sums = Record<'events' | 'change' | 'reported' | 'without' | 'customers' | 'subscriptions', number>

const none: Sums = { events: 0, change: 0, reported: 0, without: 0, customers: 0, subscriptions: 0 }

function countEvents(events: readonly StoredEvent[]): Set<string> {
  const sums = new Map<string, Sums>()
  for (const own of Map.groupBy(events, (one) => `${one.organization_id} ${one.customer_id}`).values()) {
    const moved = own.filter(({ mrr_status: status }) => status !== 'Planned_Cancellation')
    const first = own.find(({ before, after, is_of_customer }) => is_of_customer && after > before)
    const cohort = first?.day.slice(0, 7) ?? ''
    let paying = 0
    for (const event of moved) {
      const was = paying > 0
      const paysChange = Number(event.after > 0) - Number(event.before > 0)
      paying += paysChange
      const customers = Number(paying > 0) - Number(was)
      for (const part of partsOf(event, cohort)) {
        const sum = sums.get(part) ?? none
        sums.set(part, {
          events: sum.events + 1,
          change: sum.change + event.after - event.before,
          reported: sum.reported + (event.reported ?? 0),
          without: sum.without + (event.reported === null ? event.after - event.before : 0),
          customers: sum.customers + customers,
          subscriptions: sum.subscriptions + (event.reported === null ? 0 : paysChange),
        })
      }
    }
    for (const [key, { change, reported }] of lossesOf(moved)) {
      const sum = sums.get(key) ?? none
      sums.set(key, { ...sum, change: sum.change + change, reported: sum.reported + reported })
    }
  }
  return new Set(
    [...sums]
      .filter(([, sum]) => Object.values(sum).some((figure) => figure !== 0))
      .map(
        ([key, sum]) =>
          `${key}|${sum.events}|${sum.change}|${sum.reported}|${sum.without}|${sum.customers}|${sum.subscriptions}`,
      ),
  )
}

/** What a customer pays less at the end of each month than 1, 3 or 12 months before, less the same of the month before. */
function lossesOf(events: readonly StoredEvent[]): [key: string, lost: Lost][] {
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return []
  const until = (month: string, currency?: string) =>
    events.filter(
      (one) => one.day.slice(0, 7) <= month && (currency === undefined || one.currency === currency),
    )
  const own = (month: string, currency: string) =>
    until(month, currency).reduce((sum, { before, after }) => sum + after - before, 0)
  const reported = (month: string) => until(month).reduce((sum, one) => sum + (one.reported ?? 0), 0)
  const later = (month: string, by: number) => addMonths(`${month}-01`, by).slice(0, 7)
  const months = monthsBetween(first.day.slice(0, 7), later(last.day.slice(0, 7), 13))
  return [1, 3, 12].flatMap((span) =>
    months.flatMap((month) => {
      const key = (currency: string) => `${first.organization_id}|lost|${span}|${month}||${currency}`
      // Since the month before, by the levels at both ends of each.
      const since = (level: (month: string) => number) => {
        const lost = (last: string) => Math.min(0, level(last) - level(later(last, -span)))
        return lost(month) - lost(later(month, -1))
      }
      const currencies = [...new Set(events.map(({ currency }) => currency))]
      const isAlone = currencies.length === 1
      const each = currencies.map((currency): [string, Lost] => [
        key(currency),
        { change: since((until) => own(until, currency)), reported: isAlone ? since(reported) : 0 },
      ])
      return isAlone ? each : [...each, [key(''), { change: 0, reported: since(reported) }] as [string, Lost]]
    }),
  )
}

type Lost = { change: number; reported: number }

function partsOf(event: StoredEvent, cohort: string): string[] {
  const values = {
    day: event.day,
    cohort,
    product: event.product_name,
    plan: event.plan_name,
    interval: event.days,
    size: event.size,
    segment: event.is_of_subscription ? segmentOf(event) : '',
  }
  const rest = `${event.day.slice(0, 7)}|${event.mrr_status}|${event.currency}`
  return Object.entries(values).map(
    ([dimension, value]) => `${event.organization_id}|${dimension}|${value ?? ''}|${rest}`,
  )
}

/** The attributes as PostgreSQL writes an object of them: the shorter names first. */
function segmentOf({ plan_name: plan, size, product_name: product, days }: StoredEvent): string {
  return `{"plan": ${JSON.stringify(plan)}, "size": ${JSON.stringify(size)}, "product": ${JSON.stringify(product)}, "interval": ${days}}`
}
