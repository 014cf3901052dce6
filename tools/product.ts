/** The whole product on one machine: database, simulators, server and worker, for `npm start` and the browser tests. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#cli/make-folder.ts'
import { isLive } from '#server/config.ts'
import { installQueues } from '#server/jobs/install-queues.ts'
import { readDatabaseUrl } from '#server/settings/database-url.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { type Child, startChild } from './child.ts'
import { createOwnedDatabase } from './owned-database.ts'
import { type Cluster, freePort, isFree, startCluster } from './postgres.ts'
import { readWhole, writeWhole } from './whole-file.ts'

const usualPorts = { server: 3000, postgres: 54_320, stripe: 12_111, hubspot: 12_112 }
const cli = 'src/cli/tributary.ts'
/** The database in the PostgreSQL that `npm start` runs. */
export const databaseName = 'tributary'

export type Product = {
  address: string
  databaseUrl: string
  /**
   * The address for the superuser of the database that we started, who bypasses row security; null for any other
   * database.
   */
  superuserUrl: string | null
  /** The simulators' addresses; null for a real provider. */
  stripeUrl: string | null
  hubspotUrl: string | null
  /** The settings that the environment did not give. */
  provided: Record<string, string>
  worker(): Child
  /** Kills the worker as a crash would. */
  killWorker(): Promise<void>
  startWorker(): Promise<void>
  stop(): Promise<void>
}

type Secrets = { postgresPassword: string; sealKeys: string }

/** Starts, in order, every part that the environment does not provide; on a failure, stops what was started. */
export async function startProduct(options: {
  folder: string
  environment: Record<string, string>
  say: (line: string) => void
  /** Aborts the start between two steps, and stops what was started. */
  signal?: AbortSignal
  /** Called when a part ends unexpectedly, with what to look at. */
  onDeath?: (name: string, lookAt: string) => void
  simulatorArgs?: string[]
  /** Whether to use the documented ports; products that run in parallel take any free ones. */
  hasUsualPorts?: boolean
}): Promise<Product> {
  for (const name of ['logs', 'simulators']) makeFolder(join(options.folder, name))
  const stops: (() => Promise<void>)[] = []
  let isStopping = false
  let killed: Child | undefined
  const stop = async () => {
    isStopping = true
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const environment = { ...options.environment }
    const watch = (child: Child) =>
      child.process.once('exit', () => {
        if (isStopping || child === killed) return
        options.onDeath?.(child.name, `its log in ${join(options.folder, 'logs')}`)
      })
    const secrets = readSecrets(options.folder)
    if (!isLive(environment)) environment['SEAL_KEYS'] ??= secrets.sealKeys
    const cluster = await provideDatabase(options, environment, secrets, stops)
    cluster?.process.once('exit', () => {
      if (!isStopping) options.onDeath?.('PostgreSQL', 'the disk and the memory of this machine')
    })
    options.signal?.throwIfAborted()
    const simulators = await provideSimulators(options, environment, stops)
    if (simulators.child) watch(simulators.child)
    options.signal?.throwIfAborted()
    const server = await startServer(options, environment)
    stops.push(server.stop)
    watch(server)
    options.signal?.throwIfAborted()

    const log = (name: string) => join(options.folder, 'logs', `${name}.log`)
    const startWorker = async () => {
      const child = await startChild({
        name: 'worker',
        args: [cli, 'worker'],
        environment: ofWorker(environment),
        logFile: log('worker'),
        say: options.say,
      })
      watch(child)
      return child
    }
    let worker = await startWorker()
    stops.push(() => worker.stop())
    options.signal?.throwIfAborted()
    return {
      address: environment['PUBLIC_URL'] ?? '',
      databaseUrl: environment['DATABASE_URL'] ?? '',
      superuserUrl: cluster?.url(databaseName) ?? null,
      stripeUrl: simulators.stripeUrl,
      hubspotUrl: simulators.hubspotUrl,
      provided: Object.fromEntries(
        Object.entries(environment).filter(([name]) => options.environment[name] === undefined),
      ),
      worker: () => worker,
      killWorker: async () => {
        killed = worker
        const ended = new Promise((done) => worker.process.once('exit', done))
        worker.process.kill('SIGKILL')
        await ended
      },
      startWorker: async () => {
        worker = await startWorker()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Options = Parameters<typeof startProduct>[0]

/** Keys that the installation generates once and stores beside its data. */
export function readSecrets(folder: string): Secrets {
  const file = join(folder, 'secrets.json')
  const cure =
    'Its keys open the data beside it: put the file back from a backup, or remove the whole folder to start empty.'
  const kept = readWhole(file, cure)
  if (kept === undefined) {
    if (existsSync(join(folder, 'postgres'))) throw new Error(`${file} is missing. ${cure}`)
    const secrets: Secrets = {
      postgresPassword: randomBytes(24).toString('base64url'),
      sealKeys: `1:${randomBytes(32).toString('base64')}`,
    }
    writeWhole(file, JSON.stringify(secrets, null, 2))
    return secrets
  }
  const { postgresPassword, sealKeys } = kept
  if (typeof postgresPassword === 'string' && typeof sealKeys === 'string')
    return { postgresPassword, sealKeys }
  throw new Error(`${file} lacks a key. ${cure}`)
}

/** Brings the database up to date. Returns the cluster that it started; undefined for a database of the environment. */
async function provideDatabase(
  options: Options,
  environment: Record<string, string>,
  secrets: Secrets,
  stops: (() => Promise<void>)[],
): Promise<Cluster | undefined> {
  let cluster: Cluster | undefined
  if (!environment['DATABASE_URL']) {
    options.say('Starting PostgreSQL …')
    cluster = await startCluster({
      folder: join(options.folder, 'postgres'),
      password: secrets.postgresPassword,
      ...(options.hasUsualPorts && { port: usualPorts.postgres }),
    })
    stops.push(cluster.stop)
    environment['DATABASE_URL'] = await createOwnedDatabase(cluster, databaseName)
  }
  environment['DATABASE_URL'] = readDatabaseUrl(environment['DATABASE_URL'])
  options.say('Bringing the database up to date …')
  await migrate(environment['DATABASE_URL'])
  await installQueues(environment['DATABASE_URL'])
  return cluster
}

/**
 * `PROVIDERS=live` or a HubSpot client makes both providers real; otherwise every provider without an address is
 * simulated.
 */
async function provideSimulators(
  options: Options,
  environment: Record<string, string>,
  stops: (() => Promise<void>)[],
): Promise<{ child: Child | null; stripeUrl: string | null; hubspotUrl: string | null }> {
  const isReal = isLive(environment)
  const needsHubspot = !isReal && !environment['HUBSPOT_API_URL']
  const needsStripe = !isReal && !environment['STRIPE_API_URL']
  if (!needsHubspot && !needsStripe) return { child: null, stripeUrl: null, hubspotUrl: null }
  options.say('Starting the simulated Stripe and HubSpot …')
  const stripePort = await portFor(options, usualPorts.stripe)
  const hubspotPort = await portFor(options, usualPorts.hubspot)
  const child = await startChild({
    name: 'simulators',
    args: [
      cli,
      'simulators',
      `--stripe-port=${stripePort}`,
      `--hubspot-port=${hubspotPort}`,
      `--data=${join(options.folder, 'simulators')}`,
      ...(options.simulatorArgs ?? []),
    ],
    environment,
    logFile: join(options.folder, 'logs', 'simulators.log'),
    say: options.say,
  })
  stops.push(child.stop)
  const stripeUrl = `http://localhost:${stripePort}`
  const hubspotUrl = `http://localhost:${hubspotPort}`
  if (needsStripe) environment['STRIPE_API_URL'] = stripeUrl
  // Tests and benches choose whether there are rates.
  if (needsStripe && options.hasUsualPorts)
    environment['ECB_RATES'] ??= `${stripeUrl}/_ecb/eurofxref-hist.csv`
  if (needsHubspot) {
    environment['HUBSPOT_API_URL'] = hubspotUrl
    environment['HUBSPOT_APP_URL'] ??= hubspotUrl
  }
  return { child, stripeUrl: needsStripe ? stripeUrl : null, hubspotUrl: needsHubspot ? hubspotUrl : null }
}

/** The server has METRICS_PORT itself; the worker shows its metrics on the next one. */
function ofWorker(environment: Record<string, string>): Record<string, string> {
  const port = environment['METRICS_PORT']
  return port === undefined ? environment : { ...environment, METRICS_PORT: String(Number(port) + 1) }
}

async function startServer(options: Options, environment: Record<string, string>): Promise<Child> {
  options.say('Starting server and worker …')
  environment['PORT'] ??= String(await portFor(options, usualPorts.server))
  if (!isLive(environment)) environment['PUBLIC_URL'] ??= `http://localhost:${environment['PORT']}`
  return startChild({
    name: 'server',
    args: ['src/server/main.ts'],
    environment,
    logFile: join(options.folder, 'logs', 'server.log'),
    say: options.say,
  })
}

/** The usual port, or any free one if another program has it or may need it. */
async function portFor({ hasUsualPorts }: Options, usual: number): Promise<number> {
  return hasUsualPorts && (await isFree(usual)) ? usual : freePort()
}
