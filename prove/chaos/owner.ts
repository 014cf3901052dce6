import { setTimeout as sleep } from 'node:timers/promises'
import { consent } from '../../tools/consent.ts'
import { type Insist, pressOn } from './insist.ts'
import type { ChaosStage } from './stage.ts'

/** How a run ended. */
export type Ended = { kind: 'import' | 'push'; status: string; error: string | null; failedRecords: number }

/** The owner of an organization, using a browser. */
export type Owner = {
  organizationId: number
  get<T>(path: string): Promise<T>
  /** Starts a run and waits until it has ended, well or badly. */
  drive(what: 'whole import' | 'import' | 'push'): Promise<Ended>
  connectHubspot(): Promise<void>
}

const lookEveryMs = 150
const endsWithinMs = 5 * 60_000
const day = 86_400_000

/** A new person with an organization of their own, connected to the simulated Stripe account. */
export async function newOwner(stage: ChaosStage, name: string): Promise<Owner> {
  const insist = await stage.newPerson(`pat@${name}.example`)
  const ask = mustBeRight(insist)
  const made = await insist('/api/identity/organization/create', { name, slug: name })
  if (made.status >= 300) throw new Error(`The organization was not made: ${JSON.stringify(made.body)}`)
  await ask('/api/stripe/connect', { apiKey: 'sk_test_tributary_demo' })
  return {
    organizationId: Number(made.body['id']),
    get: async <T>(path: string) => (await ask(path)) as T,
    async drive(what) {
      const id = await start(insist, what)
      return untilEnded(ask, what === 'push' ? 'push' : 'import', id)
    },
    async connectHubspot() {
      const { authUrl } = await ask('/api/hubspot/auth-url')
      const back = new URL(await pressOn(() => consent(String(authUrl))))
      await insist(back.pathname + back.search)
      const { connected } = await ask('/api/hubspot/verify')
      if (connected !== true) throw new Error('The simulated HubSpot was not connected.')
    },
  }
}

type Ask = (path: string, body?: object) => Promise<Record<string, unknown>>

/** During disturbances an answer may be late, but it must be right. */
function mustBeRight(insist: Insist): Ask {
  return async (path, body) => {
    const answer = await insist(path, body)
    if (answer.status === 200) return answer.body
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

/** If the scheduler already started a run, wait for that one. */
async function start(insist: Insist, what: 'whole import' | 'import' | 'push'): Promise<string> {
  const [path, body] =
    what === 'push'
      ? ['/api/sync/push-all', {}]
      : what === 'whole import'
        ? ['/api/import/historical', {}]
        : [
            '/api/import/start',
            {
              startDate: new Date(Date.now() - day).toISOString(),
              endDate: new Date().toISOString(),
            },
          ]
  const started = await pressOn(
    () => insist(path, body),
    ({ status }) => status !== 409,
  )
  if (started.status !== 200) throw new Error(`${path}: ${started.status} ${JSON.stringify(started.body)}`)
  return String(started.body['importId'])
}

async function untilEnded(ask: Ask, kind: Ended['kind'], id: string): Promise<Ended> {
  for (const deadline = Date.now() + endsWithinMs; Date.now() < deadline; await sleep(lookEveryMs)) {
    const job = await ask(`/api/sync/import-status/${id}`)
    if (job['status'] === 'in_progress') continue
    const { status, error, failedRecords } = job
    return {
      kind,
      status: String(status),
      error: typeof error === 'string' ? error : null,
      failedRecords: Number(failedRecords),
    }
  }
  throw new Error(`The ${kind} ${id} did not end in ${endsWithinMs / 60_000} minutes.`)
}
