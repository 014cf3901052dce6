import { createEnqueue } from '#server/jobs/enqueue.ts'
import { startWorker, type Worker } from '#server/jobs/start-worker.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { updateSettings } from '#server/store/setup/settings.ts'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { readWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { type Figures, figuresOf } from './crm-figures.ts'
import { run as query } from './database.ts'
import { newWorld, type Person, type TestWorld } from './harness.ts'
import { enterprise } from './push/open-bench.ts'

const secret = 'whsec_of_the_live_account'
const begin = Date.parse('2026-09-01T12:00:00Z') / 1000

/** An organization with its history imported and pushed, a webhook, a real worker, and no clock. */
export type LiveAccount = {
  world: TestWorld
  person: Person
  /** Lets the account live on; returns the new events, oldest first. */
  live(hours: number): StripeObject[]
  /** Sends one event to the webhook, and returns the answer's status. */
  deliver(event: StripeObject): Promise<number>
  /** Runs scheduled work of this name, as the clock would. */
  tick(name: string): Promise<void>
  work(): Promise<Worker>
  /** The runs since the account was set up, in order. */
  runs(): Promise<{ kind: string; status: string; isHint: boolean; processed: number }[]>
  /** Each subscription's MRR in the ledger and in HubSpot. */
  figures(): Promise<{ ledger: Figures; crm: Figures }>
  close(): Promise<void>
}

export async function openLiveAccount(): Promise<LiveAccount> {
  const machine = createMachine({ seed: 3, customers: 40, months: 6, asOf: begin })
  machine.runTo(begin)
  const worldNow = () => readWorld(machine.snapshot().world)
  const world = await newWorld({ account: worldNow() })
  const person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
  await person.post('/api/import/historical')
  await world.drain()
  await person.post('/api/sync/push-all')
  await world.drain()
  const answer = await person.fetch('/api/stripe/webhook', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signingSecret: secret }),
  })
  const { address } = await answer.json()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    updateSettings(tenant, { setupComplete: true }),
  )
  await query(world.ownerUrl, 'delete from pgboss.schedule')
  const enqueue = createEnqueue()
  world.deps.enqueue = async (tenant, run) => {
    await enqueue(tenant, run)
    // Without this, runs that start in the same millisecond would have no order.
    await world.deps.sleep(1_000)
  }
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    world.ownerUrl,
    'select count(*)::integer from runs',
  )
  const workers: Worker[] = []
  return {
    world,
    person,
    live(hours) {
      const known = new Set((world.stripe.world.events ?? []).map(({ id }) => id))
      machine.runTo(machine.now() + hours * 3600)
      world.stripe.setWorld(worldNow())
      void world.deps.sleep(hours * 3_600_000)
      return (world.stripe.world.events ?? [])
        .filter(({ id }) => !known.has(id))
        .sort((a, b) => a.created - b.created)
    },
    async deliver(event) {
      const at = Math.floor(world.now().getTime() / 1000)
      return (await world.app.fetch(deliveryOf(event, { url: address, secret }, at))).status
    },
    tick: async (name) => {
      const text = `insert into pgboss.job (name, data, created_on)
                    values ('schedule', jsonb_build_object('name', $1::text), to_timestamp($2))`
      // The next minute when it is this organization's turn, whichever schedule it is.
      const hour = Math.ceil(world.now().getTime() / 3_600_000) * 3_600
      await query(world.ownerUrl, text, [name, hour + (person.organizationId % 60) * 60])
    },
    async work() {
      const worker = await startWorker(world.deps, { url: world.applicationUrl, concurrency: 2 })
      workers.push(worker)
      return worker
    },
    runs: () =>
      query(
        world.ownerUrl,
        `select kind, status, options ? 'isHint' and options ->> 'isHint' = 'true' as "isHint",
                processed_records as processed from runs order by created_at, id offset $1`,
        [count],
      ),
    figures: () => figuresOf(world, person.organizationId, enterprise),
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await world.close()
    },
  }
}
