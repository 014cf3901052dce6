import { inOrganization } from '#server/store/postgres/database.ts'
import { updateSettings } from '#server/store/setup/settings.ts'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { createMachine, type Machine } from '#simulators/worlds/machine.ts'
import { newWorld, type TestWorld } from '../harness.ts'

export const hourBegins = Date.parse('2026-09-05T02:50:00Z')
const secret = 'whsec_of_an_hour'
const firstPortal = 24_180_100

export type HourOrganization = {
  organizationId: number
  portal: number
  hasWebhook: boolean
  /** Lets the account live on until something happens there, and delivers it; returns the new events. */
  change(): Promise<string[]>
  account(): SimulatedWorld
}

/** Organizations with an account and a portal each, imported, pushed and set up; every second one has a webhook. */
export async function openOrganizations(
  count: number,
  seed: number,
): Promise<{ world: TestWorld; organizations: HourOrganization[] }> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const machines = numbers.map((number) => machineOf(seed + number))
  const portals = numbers.map((number) => ({
    hubId: firstPortal + number,
    name: `Portal ${number}`,
    domain: `portal-${number}.example`,
    tier: 'enterprise' as const,
  }))
  const world = await newWorld({
    account: worldOf(machineOf(seed)),
    accounts: Object.fromEntries(machines.map((machine, number) => [keyOf(number), worldOf(machine)])),
    crm: { portals },
  })
  const organizations: HourOrganization[] = []
  for (const [number, machine] of machines.entries())
    organizations.push(await setUp(world, number, machine, firstPortal + number))
  return { world, organizations }
}

const keyOf = (number: number) => `sk_test_hour${number}`
const worldOf = (machine: Machine) => readWorld(machine.snapshot().world)

function machineOf(seed: number): Machine {
  const machine = createMachine({ seed, customers: 6, months: 4, asOf: hourBegins / 1000 })
  machine.runTo(hourBegins / 1000)
  return machine
}

async function setUp(
  world: TestWorld,
  number: number,
  machine: Machine,
  portal: number,
): Promise<HourOrganization> {
  const person = await world.person()
  const { organizationId } = person
  await person.connectStripe(keyOf(number))
  await person.connectHubspot(portal)
  await person.post('/api/import/historical')
  await world.drain()
  await person.post('/api/sync/push-all')
  await world.drain()
  await inOrganization(world.deps.database, organizationId, (tenant) =>
    updateSettings(tenant, { setupComplete: true }),
  )
  const hasWebhook = number % 2 === 0
  const url = hasWebhook ? await addWebhook(person) : ''
  const stripe = world.stripes.get(keyOf(number))
  if (!stripe) throw new Error('no such account')
  return {
    organizationId,
    portal,
    hasWebhook,
    account: () => stripe.world,
    async change() {
      const known = new Set((stripe.world.events ?? []).map(({ id }) => id))
      const isNew = ({ id }: { id: string }) => !known.has(id)
      while (!(stripe.world.events ?? []).some(isNew)) {
        machine.runTo(machine.now() + 3_600)
        stripe.setWorld(worldOf(machine))
      }
      const events = (stripe.world.events ?? []).filter(isNew)
      if (hasWebhook)
        for (const event of events)
          await world.app.fetch(deliveryOf(event, { url, secret }, Math.floor(world.now().getTime() / 1000)))
      return events.map(({ id }) => id)
    },
  }
}

async function addWebhook(person: Awaited<ReturnType<TestWorld['person']>>): Promise<string> {
  const answer = await person.fetch('/api/stripe/webhook', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signingSecret: secret }),
  })
  return String((await answer.json()).address)
}
