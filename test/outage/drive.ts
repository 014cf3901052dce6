import pg from 'pg'
import { whyOf } from './load.ts'
import type { OutageProduct } from './product.ts'
import type { VisitorAnswer } from './visitor.ts'

const patienceMs = 120_000
const lookEveryMs = 50

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Repeats a request that got a 503 or no answer, as a person would, until it gets another answer. */
async function insist(ask: () => Promise<VisitorAnswer>): Promise<VisitorAnswer> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(lookEveryMs)) {
    const answer = await ask().catch(() => null)
    if (answer !== null && answer.status !== 503) return answer
  }
  throw new Error('There was nothing but 503 for two minutes.')
}

async function findRun(ownerUrl: string, id: string) {
  const client = new pg.Client({ connectionString: ownerUrl })
  // The database may go down between two queries of this client, which is expected here.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ status: string; error: string | null }>(
      'select status, error from runs where id = $1',
      [id],
    )
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}

/** Starts a run over HTTP and waits until it has ended well, despite any outages. */
export async function drive(product: OutageProduct, kind: 'import' | 'push'): Promise<void> {
  const path = kind === 'import' ? '/api/import/historical' : '/api/sync/push-all'
  const started = await insist(() => product.visit(path, {}))
  if (started.status !== 200) throw new Error(`${path}: ${started.status} ${whyOf(product, started)}`)
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(lookEveryMs)) {
    const found = await findRun(product.ownerUrl, String(started.body['importId'])).catch(() => undefined)
    if (found?.status === 'completed') return
    if (found && found.status !== 'in_progress')
      throw new Error(`the ${kind} ${found.status}: ${found.error}`)
  }
  throw new Error(`the ${kind} did not end in two minutes: ${product.worker.output().slice(-3_000)}`)
}
