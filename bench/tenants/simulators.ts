/**
 * A simulated Stripe and HubSpot without limits or delays, in a process of their own. One key opens a small account, another
 * a large one.
 */
import { serve } from '@hono/node-server'
import { crmSeedOf } from '#simulators/crm-seed.ts'
import { createHubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { createStripeSimulator } from '#simulators/stripe/simulator.ts'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'

const [small = 30, large = 3_000] = process.argv.slice(2).map(Number)
const asOf = Math.floor(Date.now() / 1000)
const wait = async () => {}

const worldOf = (customers: number, months: number) =>
  readWorld(generateWorld({ seed: 7, customers, months, asOf }).world)
const smallWorld = worldOf(small, 24)
const stripes = {
  small: createStripeSimulator({ world: smallWorld, limits: null, wait, clock: Date.now }),
  large: createStripeSimulator({
    world: worldOf(large, 24),
    keys: ['sk_test_large'],
    limits: null,
    wait,
    clock: Date.now,
  }),
}
const isLarge = (request: Request) => request.headers.get('authorization')?.includes('sk_test_large')

let hubspot: ReturnType<typeof createHubspotSimulator> | undefined
const listening = (fetch: (request: Request, env: object) => Response | Promise<Response>) =>
  new Promise<string>((resolve) => {
    serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
const stripeUrl = await listening((request, env) =>
  (isLarge(request) ? stripes.large : stripes.small).fetch(request, env),
)
const hubspotUrl = await listening(
  (request, env) => hubspot?.fetch(request, env) ?? new Response('', { status: 503 }),
)
hubspot = createHubspotSimulator({
  clock: Date.now,
  appUrl: hubspotUrl,
  apiUrl: hubspotUrl,
  rateLimit: { per10s: 1_000_000, searchPerSecond: 1_000_000 },
  seedFrom: crmSeedOf(smallWorld as unknown as Parameters<typeof crmSeedOf>[0]),
  wait,
})
process.on('disconnect', () => process.exit(0))
process.send?.({ stripeUrl, hubspotUrl })
