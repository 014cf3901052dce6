import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { createLog } from '#server/log.ts'
import { createHubspotCrm } from '#server/providers/hubspot/create-hubspot-crm.ts'
import { createSeal } from '#server/seal.ts'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'
import { authorizeCrm, completeCrmAuthorization } from '#server/work/connections/connect-crm.ts'
import { unused } from '#test/unused.ts'

/** A worker's dependencies in real time, with HubSpot at this address; the other ports do nothing. */
export function buildDeps(ownerUrl: string, hubspotUrl: string): Deps & { database: Database } {
  const key = Buffer.alloc(32, 7)
  const config = readConfig({
    SEAL_KEYS: `1:${key.toString('base64')}`,
    DATABASE_URL: ownerUrl,
    STRIPE_API_URL: 'http://stripe.example',
    HUBSPOT_API_URL: hubspotUrl,
    HUBSPOT_APP_URL: hubspotUrl,
    LOG_LEVEL: 'silent',
  })
  const now = () => new Date()
  const sleep = (ms: number, signal?: AbortSignal) => wait(ms, undefined, { signal })
  let ids = 0
  const database = openDatabase({
    url: () => applicationUrl(ownerUrl),
    poolSize: 10,
    statementTimeoutMs: 120_000,
    onError: () => {},
  })
  return {
    config,
    database,
    now,
    sleep,
    newId: () => `run_${++ids}`,
    log: createLog({ level: 'silent', name: 'bench' }),
    seal: createSeal(new Map([[1, key]])),
    payments: unused('payments'),
    crm: createHubspotCrm({ ...config.hubspot, fetch, now, sleep, paces: createRateLimits(database, now) }),
    mail: unused('mail'),
    enqueue: async () => {},
    enlist: async () => {},
    rates: null,
    observeLags: () => {},
  }
}

/** Completes HubSpot's consent page. */
export async function connectHubspot(
  deps: Deps,
  person: { organizationId: number; userId: number },
): Promise<void> {
  const connector = { ...person, sessionId: 1, role: 'owner' } as const
  const page = new URL(await authorizeCrm(deps, connector, 'popup'))
  const form = new URLSearchParams(page.search)
  form.set('hub_id', '24180001')
  form.set('decision', 'allow')
  const answer = await fetch(new URL('/oauth/authorize', page), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const back = new URL(answer.headers.get('location') ?? 'http://nowhere.example')
  const done = await completeCrmAuthorization(deps, connector, back.searchParams)
  if (done.outcome !== 'connected') throw new Error(done.message)
}
