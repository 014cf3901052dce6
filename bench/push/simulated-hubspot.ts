/** A simulated HubSpot in a separate process, so that its memory and processor time do not count as the push's. */
import { serve } from '@hono/node-server'
import { createHubspotSimulator } from '#simulators/hubspot/simulator.ts'

const pairs = Number(process.argv[2])
const companies = Array.from({ length: pairs }, (_, n) => ({
  name: `Company ${n + 1}`,
  domain: `c${n + 1}.example`,
}))
const contacts = companies.map(({ domain }) => ({ email: `owner@${domain}`, companyDomain: domain }))
const portals = [
  {
    hubId: 24180001,
    name: 'Bench',
    domain: 'bench.example',
    tier: 'enterprise' as const,
    customObjectLimit: 10,
  },
]

/** The portal's records are older than the push, so a search for recent changes does not return all of them. */
const ageMs = 60 * 60_000

let hubspot: ReturnType<typeof createHubspotSimulator> | undefined
const server = serve(
  {
    fetch: (request, env) => hubspot?.fetch(request, env as object) ?? new Response('', { status: 503 }),
    port: 0,
    hostname: '127.0.0.1',
  },
  ({ port }) => {
    const url = `http://127.0.0.1:${port}`
    hubspot = createHubspotSimulator({
      clock: () => (hubspot === undefined ? Date.now() - ageMs : Date.now()),
      appUrl: url,
      apiUrl: url,
      portals,
      seedFrom: { companies, contacts },
    })
    process.send?.({ url })
  },
)
process.on('disconnect', () => server.close(() => process.exit(0)))
