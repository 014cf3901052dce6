import { describe, expect, it } from 'vitest'
import { replayDocument } from '#cli/replay.ts'
import { readReplayDocument } from '#cli/replay-document.ts'
import { expectedEvents } from '#simulators/worlds/expected-events.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'
import { currentMrr, subscriptionMrrOn } from '#simulators/worlds/truth.ts'

type Event = {
  subscriptionId: string
  occurredAt: string
  mrrStatus: string
  previousMrr: number
  currentMrr: number
  previousQuantity: number
  currentQuantity: number
  currency: string
}
type Answer = {
  events: Event[]
  currentMrr: Record<string, number>
  subscriptions: { subscriptionId: string; currentMrr: number }[]
}

const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000
const seeds = Array.from({ length: Number(process.env['ORACLE_SEEDS'] ?? 6) }, (_, index) => index + 1)

/** The simulated business knows its MRR from what it did; the engine sees only what the provider would show. */
describe.each(seeds)('engine and oracle agree on the account of seed %i', (seed) => {
  const { world, truth } = generateWorld({ seed, customers: 150, months: 24, asOf })
  const answer = replayDocument(readReplayDocument(JSON.stringify(world)), false) as Answer
  const stories = new Map(truth.subscriptions.map((subscription) => [subscription.id, subscription.story]))

  it('on every subscription at every change', () => {
    const wrong: string[] = []
    for (const subscription of truth.subscriptions) {
      const events = answer.events.filter((event) => event.subscriptionId === subscription.id)
      const instants = new Set([
        ...subscription.changes.map((change) => change.at),
        ...events.map((event) => Date.parse(event.occurredAt) / 1000),
      ])
      for (const at of instants) {
        const known = events.findLast((event) => Date.parse(event.occurredAt) / 1000 <= at)?.currentMrr ?? 0
        const right = subscriptionMrrOn(subscription, at)
        if (known !== right) {
          wrong.push(
            `${stories.get(subscription.id)} ${subscription.id} ${new Date(at * 1000).toISOString()}: ${known} for ${right}`,
          )
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('on every event', () => {
    const shape = (event: Event) => [
      stories.get(event.subscriptionId),
      event.subscriptionId,
      event.occurredAt,
      event.mrrStatus,
      event.previousMrr,
      event.currentMrr,
      event.previousQuantity,
      event.currentQuantity,
      event.currency,
    ]
    const expected = expectedEvents(truth).map((event) =>
      shape({ ...event, occurredAt: new Date(event.occurredAt * 1000).toISOString().replace('.000Z', 'Z') }),
    )
    const sorted = (rows: unknown[][]) => rows.map((row) => row.join(' ')).sort()
    expect(sorted(answer.events.map(shape))).toEqual(sorted(expected))
  })

  it('on the current MRR', () => {
    const totals = Object.entries(answer.currentMrr).filter(([, cents]) => cents !== 0)
    expect(Object.fromEntries(totals)).toEqual(Object.fromEntries(currentMrr(truth)))
  })
})
