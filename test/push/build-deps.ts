import { randomBytes } from 'node:crypto'
import { readConfig } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { createLog } from '#server/log.ts'
import { createHubspotCrm } from '#server/providers/hubspot/create-hubspot-crm.ts'
import { createSeal } from '#server/seal.ts'
import type { Connector } from '#server/work/connections/connect-crm.ts'
import type { HubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { run as query, type TestDatabase } from '../database.ts'
import { unused } from '../unused.ts'
import { ownPaces } from './own-rate-limits.ts'

/** The address of the simulated HubSpot. */
export const address = 'http://hubspot.test'

let organizations = 0

/** The dependencies of the server's rooms, with a simulated HubSpot and a clock that moves only on request. */
export function buildDeps(db: TestDatabase, simulator: HubspotSimulator, clock: { now: number }): Deps {
  const config = readConfig({
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    DATABASE_URL: db.url,
    STRIPE_API_URL: 'http://stripe.test',
    HUBSPOT_API_URL: address,
    HUBSPOT_APP_URL: address,
    LOG_LEVEL: 'silent',
  })
  let ids = 0
  const time = {
    now: () => new Date(clock.now),
    sleep: async (ms: number) => {
      clock.now += ms
    },
  }
  return {
    config,
    database: db.database,
    ...time,
    newId: () => `run_${++ids}`,
    log: createLog({ level: 'silent', name: 'test' }),
    seal: createSeal(new Map([[1, randomBytes(32)]])),
    payments: unused('payments'),
    crm: createHubspotCrm({
      ...config.hubspot,
      ...time,
      fetch: (request) => simulator.fetch(request),
      paces: ownPaces(db.database, time.now),
    }),
    mail: unused('mail'),
    enqueue: async () => {},
    enlist: async () => {},
    rates: null,
    observeLags: () => {},
  }
}

/** An organization with one person, created without the sign-up. */
export async function addOrganization(db: TestDatabase): Promise<Connector> {
  const number = ++organizations
  const [organization] = await query<{ id: number }>(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ($1, $1, now()) returning id`,
    [`org-${number}`],
  )
  const [user] = await query<{ id: number }>(
    db.ownerUrl,
    `insert into "user" (name, email, "emailVerified") values ('Pat', $1, true) returning id`,
    [`pat-${number}@tenant.example`],
  )
  if (!organization || !user) throw new Error('nothing was inserted')
  return { organizationId: organization.id, userId: user.id, sessionId: 1, role: 'owner' }
}
