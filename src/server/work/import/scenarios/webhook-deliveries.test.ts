import { afterEach, describe, expect, it } from 'vitest'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { readWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { createRandom } from '#simulators/worlds/numbers/random.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { readWebhookState, setWebhookSecret } from '../../connections/payment-webhook.ts'
import { receiveWebhook } from '../receive-webhook.ts'

const dayZero = Date.parse('2026-09-01T12:00:00Z') / 1000
const hourSeconds = 3600
const secret = 'whsec_of_this_endpoint'

const stages: ImportStage[] = []
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  const stage = await stageImport(...args)
  stages.push(stage)
  return stage
}
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

type Send = (event: StripeObject) => Promise<unknown>

/** Sends an event as Stripe would, at the simulated account's time. */
async function sender({ deps, organizationId }: ImportStage): Promise<Send> {
  await setWebhookSecret(deps, organizationId, secret)
  const state = await inOrganization(deps.database, organizationId, readWebhookState)
  const token = state?.token ?? ''
  return async (event) => {
    const at = Math.floor(deps.now().getTime() / 1000)
    const request = deliveryOf(event, { url: 'http://localhost/', secret }, at)
    const readBody = async () => new Uint8Array(await request.arrayBuffer())
    const signature = request.headers.get('stripe-signature')
    return receiveWebhook(deps, { token, readBody, signature, admit: () => {} })
  }
}

/** Works on the imports that webhooks started and returns their number. */
async function workOnHints(stage: ImportStage): Promise<number> {
  const open = await query<{ id: string }>(
    stage.db.ownerUrl,
    `select id from runs where status = 'in_progress'`,
  )
  for (const { id } of open) await stage.work(await stage.claim(id))
  return open.length
}

describe('deliveries that are lost, repeated, out of order or forged', () => {
  it.each([1, 2, 3])(
    'leave the same as a fresh import of everything (%i)',
    async (seed) => {
      const random = createRandom(seed, 0)
      const machine = createMachine({ seed: 40 + seed, customers: 16, months: 5, asOf: dayZero })
      const worldAt = (at: number) => {
        machine.runTo(at)
        return readWorld(machine.snapshot().world)
      }
      let world = worldAt(dayZero)
      const stage = await staged({ world })
      await stage.importAll()
      const send = await sender(stage)
      const waiting: StripeObject[] = []
      let known = new Set((world.events ?? []).map(({ id }) => id))
      let hints = 0
      for (let round = 1; round <= 12; round += 1) {
        world = worldAt(dayZero + round * 7 * hourSeconds)
        stage.simulator.setWorld(world)
        for (const event of world.events ?? []) {
          if (known.has(event.id) || random.chance(0.2)) continue
          waiting.push(event)
          if (random.chance(0.3)) waiting.push(event)
        }
        known = new Set((world.events ?? []).map(({ id }) => id))
        // Some deliveries arrive now, in any order; the others arrive in a later round.
        while (waiting.length > 0 && !random.chance(0.1)) {
          const [event] = waiting.splice(random.int(0, waiting.length - 1), 1)
          if (event) await send(event)
        }
        const forged = { ...world.subscriptions[0], id: `evt_forged_${round}`, object: 'event', created: 1 }
        const readBody = async () => new TextEncoder().encode(JSON.stringify(forged))
        const delivery = { token: 'a', readBody, signature: 't=1,v1=00', admit: () => {} }
        const attempt = receiveWebhook(stage.deps, delivery)
        await expect(attempt).rejects.toMatchObject({ code: 'invalid_request' })
        hints += await workOnHints(stage)
      }
      expect(hints).toBeGreaterThan(2)
      // The next look reads from the record of changes what no delivery announced.
      const at = new Date(stage.deps.now())
      await stage.work(await stage.start({ mode: 'window', from: at, until: at }))
      const fresh = await staged({ world })
      await fresh.importAll()
      expect(await stage.dump()).toEqual(await fresh.dump())
      const { requests } = stage.simulator
      requests.clear()
      await stage.work(await stage.start({ mode: 'window', from: at, until: at }))
      expect(requests.counters.total).toBe(2)
    },
    60_000,
  )

  it('bring what the record of changes does not show yet', async () => {
    const machine = createMachine({ seed: 44, customers: 16, months: 5, asOf: dayZero })
    machine.runTo(dayZero)
    const early = readWorld(machine.snapshot().world)
    const stage = await staged({ world: early })
    await stage.importAll()
    const send = await sender(stage)
    machine.runTo(dayZero + 48 * hourSeconds)
    const later = readWorld(machine.snapshot().world)
    const news = (later.events ?? []).filter(({ created }) => created > dayZero)
    stage.simulator.setWorld({ ...later, events: early.events ?? [] })
    for (const event of news) await send(event)
    expect(await workOnHints(stage)).toBe(1)
    const fresh = await staged({ world: later })
    await fresh.importAll()
    const { subscriptions, customers, events } = await stage.dump()
    const expected = await fresh.dump()
    expect({ subscriptions, customers, events }).toEqual({
      subscriptions: expected['subscriptions'],
      customers: expected['customers'],
      events: expected['events'],
    })
  })
})
