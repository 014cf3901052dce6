import { expect, test } from 'vitest'
import { readReplayDocument } from '#cli/replay-document.ts'
import type { MrrEvent } from '#domain/event.ts'
import { defaultPolicy } from '#domain/mrr/exact/policy.ts'
import { rebuildCustomer } from '#domain/mrr/rebuild-customer.ts'
import type { Observation } from '#domain/mrr/timeline/observation.ts'
import { subscriptionMrrOn } from '#simulators/worlds/expected/truth.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { unbilledStories } from '#simulators/worlds/stories/unbilled.ts'
import { wild } from '#simulators/worlds/stories/wild.ts'

const daySeconds = 86_400
const begins = Date.parse('2026-11-20T12:00:00Z') / 1000
const days = Number(process.env['FOLLOW_DAYS'] ?? 30)
const seeds = Array.from({ length: Number(process.env['FOLLOW_SEEDS'] ?? 1) }, (_, index) => index + 1)
const casts = [
  { cast: 'believable', customers: 90, stories: [] },
  { cast: 'unbilled', customers: unbilledStories.length, stories: unbilledStories },
  { cast: 'wild', customers: 60, stories: [wild] },
]
const readings = ['empty', 'charged', 'listed'] as const
/** `npm run prove -- follow` reads each account in every way; otherwise the casts take the ways in turn. */
const isReadInAll = process.env['READINGS'] === 'all'
const accounts = casts.flatMap((cast, index) =>
  seeds.flatMap((seed) =>
    readings
      .filter((_, way) => isReadInAll || way === (index + seed) % readings.length)
      .map((unitOfParts) => ({ ...cast, seed, unitOfParts })),
  ),
)

/** One look at the account: rebuilds every customer with the earlier observations. */
function look(
  text: string,
  observations: readonly Observation[],
): { events: MrrEvent[]; fresh: Observation[] } {
  const { asOf, products, prices, subscriptions, invoices, customerDiscounts } = readReplayDocument(text)
  const bySubscription = Map.groupBy(observations, (observation) => observation.subscriptionId)
  const invoicesOf = Map.groupBy(invoices, (invoice) => invoice.customerId)
  const made = [...Map.groupBy(subscriptions, (subscription) => subscription.customerId)].map(([id, own]) =>
    rebuildCustomer({
      customerId: id,
      subscriptions: own,
      invoices: invoicesOf.get(id) ?? [],
      prices,
      products,
      policy: defaultPolicy,
      customerDiscounts: customerDiscounts.get(id) ?? [],
      observations: own.flatMap((subscription) => bySubscription.get(subscription.id) ?? []),
      asOf,
    }),
  )
  return {
    events: made.flatMap(({ events }) => events),
    fresh: made.flatMap(({ newObservations }) => newObservations),
  }
}

/** Events that another look dates differently, except back to the instant that an invoice now shows. */
function movedSince(before: readonly MrrEvent[], now: readonly MrrEvent[]): string[] {
  const dates = new Map(now.map((event) => [event.id, event]))
  return before.flatMap(({ id, occurredAt, invoiceId }) => {
    const later = dates.get(id)
    if (later === undefined || later.occurredAt === occurredAt) return []
    const isShownSince = invoiceId === null && later.invoiceId !== null && later.occurredAt < occurredAt
    return isShownSince ? [] : [id]
  })
}

const followMs = 180_000

/** Looks at a simulated account once a day, like a product with daily imports. */
test.each(accounts)(
  'a $cast account followed day by day is what the oracle says, seed $seed, units of parts $unitOfParts',
  { timeout: followMs },
  (account) => {
    const { seed, customers, stories, unitOfParts } = account
    const asOf = begins + days * daySeconds
    const machine = createMachine({
      seed,
      customers,
      months: 10,
      asOf,
      stories,
      hasPending: true,
      unitOfParts,
    })
    const observations = new Map<string, Observation>()
    const gone: string[] = []
    const moved: string[] = []
    const wrong: string[] = []
    let before: MrrEvent[] = []
    for (let day = 0; day <= days; day++) {
      machine.runTo(begins + day * daySeconds)
      const { world, truth } = machine.snapshot()
      const { events, fresh } = look(JSON.stringify(world), [...observations.values()])
      for (const observation of fresh) observations.set(observation.id, observation)
      const ids = new Set(events.map(({ id }) => id))
      // A voided invoice's evidence is withdrawn (R26); no other event may vanish or change its id.
      const voided = new Set(world.invoices.filter(({ status }) => status === 'void').map(({ id }) => id))
      const vanished = before.filter(({ id, invoiceId }) => !ids.has(id) && !voided.has(invoiceId ?? ''))
      gone.push(...vanished.map(({ id }) => `day ${day}: ${id}`))
      moved.push(...movedSince(before, events).map((id) => `day ${day}: ${id}`))
      before = events
      for (const subscription of truth.subscriptions) {
        const shown =
          events.findLast(({ subscriptionId }) => subscriptionId === subscription.id)?.currentMrrCents ?? 0
        const right = subscriptionMrrOn(subscription, truth.asOf)
        if (shown !== right)
          wrong.push(`day ${day}: ${subscription.story} ${subscription.id} ${shown} for ${right}`)
      }
    }
    expect({ gone, moved, wrong }).toEqual({ gone: [], moved: [], wrong: [] })
    expect(before.length).toBeGreaterThan(50)
  },
)
