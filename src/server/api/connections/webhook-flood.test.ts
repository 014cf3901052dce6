import { afterEach, expect, it } from 'vitest'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { saveSecret } from '#test/api/webhooks.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { createApp } from '../../app.ts'
import { createTransactionTurns } from '../../http/turns.ts'
import { type Database, openDatabase } from '../../store/postgres/database.ts'

let world: TestWorld
let database: Database
afterEach(async () => {
  await database.destroy()
  await world.close()
})

const secret = 'whsec_of_a_flood'

async function openWebhook(person: Person): Promise<string> {
  await person.connectStripe()
  return (await saveSecret(person, secret)).body.address
}

it.each([
  ['genuine', secret],
  ['forged', 'whsec_of_somebody_else'],
])(
  'a flood of %s deliveries to one organization does not hold up those of another',
  async (_, signedWith) => {
    world = await newWorld()
    const flooded = await openWebhook(await world.person())
    const calm = await openWebhook(await world.person())
    database = openDatabase({
      url: world.applicationUrl,
      poolSize: 20,
      statementTimeoutMs: 30_000,
      inTurn: createTransactionTurns(),
      onError: () => {},
    })
    const app = createApp({ ...world.deps, database })
    const at = Math.floor(world.now().getTime() / 1000)
    const event = (id: string) => ({
      id,
      object: 'event',
      type: 'customer.subscription.updated',
      created: at,
      livemode: false,
      data: { object: { id: `sub_${id}`, object: 'subscription', created: at } },
    })
    const answered: { id: string; status: number }[] = []
    const deliver = async (id: string, url: string, by: string) => {
      const { status } = await app.fetch(deliveryOf(event(id), { url, secret: by }, at))
      answered.push({ id, status })
    }
    const flood = Array.from({ length: 250 }, (_, number) => deliver(`evt_${number}`, flooded, signedWith))
    await Promise.all([...flood, deliver('evt_calm', calm, secret)])
    // First come, first served would answer it last.
    const place = answered.findIndex(({ id }) => id === 'evt_calm')
    expect(place).toBeLessThan(125)
    expect(answered[place]).toEqual({ id: 'evt_calm', status: 200 })
    const kept = await query(world.ownerUrl, `select 1 from payment_changes where id = 'evt_calm'`)
    expect(kept).toHaveLength(1)
  },
)
