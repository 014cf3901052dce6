import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { fillDemo } from '../../tools/demo.ts'
import { temporaryFolder } from '../../tools/postgres.ts'
import { readSecrets, startProduct } from '../../tools/product.ts'

/** The product without its worker, and one organization that is imported, pushed and set up. */
export type TenantStage = {
  folder: string
  environment: Record<string, string>
  superuserUrl: string
  organizationId: number
  postmaster: number
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Adds an empty organization, and returns its id. */
  addOrganization(): Promise<number>
  /** The id of the organization that was added last. */
  lastOrganization(): Promise<number>
  close(): Promise<void>
}

export async function openTenantStage(customers: { each: number; large: number }): Promise<TenantStage> {
  const folder = temporaryFolder('tributary-bench-')
  const sizes = [customers.each, customers.large].map(String)
  const simulators = fork(join(import.meta.dirname, 'simulators.ts'), sizes)
  const [urls] = (await once(simulators, 'message')) as [{ stripeUrl: string; hubspotUrl: string }]
  const providers = {
    LOG_LEVEL: 'warn',
    STRIPE_API_URL: urls.stripeUrl,
    HUBSPOT_API_URL: urls.hubspotUrl,
    HUBSPOT_APP_URL: urls.hubspotUrl,
  }
  const product = await startProduct({ folder, environment: providers, say: () => {} })
  const superuserUrl = product.superuserUrl ?? product.databaseUrl
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 2 })
  pool.on('error', () => {})
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows
  const newest = async () =>
    (await query<{ id: number }>('select max(id) as id from "organization"'))[0]?.id ?? 0
  await fillDemo({ address: product.address, say: () => {} })
  await product.killWorker()
  // The bench starts all work itself.
  await query('delete from pgboss.schedule')
  await query('delete from pgboss.job')
  return {
    folder,
    environment: {
      ...providers,
      DATABASE_URL: product.databaseUrl,
      SEAL_KEYS: readSecrets(folder).sealKeys,
      PUBLIC_URL: product.address,
    },
    superuserUrl,
    organizationId: await newest(),
    postmaster: Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10),
    query,
    async addOrganization() {
      await query(
        `insert into "organization" (name, slug, "createdAt") values ('Large', 'large-' || random(), now())`,
      )
      return newest()
    },
    lastOrganization: newest,
    async close() {
      await pool.end()
      await product.stop()
      simulators.kill()
    },
  }
}
