import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword } from 'better-auth/crypto'
import { addVerifiedUser } from '#server/store/accounts/users.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { openDatabase } from '#server/store/postgres/database.ts'
import { type AccountPlan, machineOf } from '#simulators/start-simulators.ts'
import { openOwnCluster } from '#test/outage/own-cluster.ts'
import { createVisitor } from '#test/outage/visitor.ts'
import { freePort, temporaryFolder } from '../../tools/postgres.ts'
import { type Insist, insistWith, pressOn } from './insist.ts'
import { type ChaosTarget, type PartKind, targetOfDatabase, targetOfProcess } from './target.ts'

const password = 'correct horse battery'
const parts: Record<Exclude<PartKind, 'database'>, number> = { stripe: 1, hubspot: 1, server: 2, worker: 3 }

/** The whole product, each part a process that can be killed; `parts` says how many there are of each kind. */
export type ChaosStage = {
  targets: ChaosTarget[]
  ownerUrl: string
  hubspotUrl: string
  /** A new person with a browser, signed in, who asks whichever server answers. */
  newPerson(email: string): Promise<Insist>
  /** Moves the simulated account's clock forward. */
  advance(seconds: number): Promise<void>
  /** The simulated account's own figures. */
  account(): ReturnType<ReturnType<typeof machineOf>['snapshot']>
  /** How many requests Stripe's simulator received that were not GET. */
  paymentWrites(): Promise<number>
  close(): Promise<void>
}

/** Starts everything, with `customers` customers in the simulated Stripe. If a start fails, stops what was started. */
export async function openStage(customers: number): Promise<ChaosStage> {
  const folder = temporaryFolder('tributary-chaos-')
  const targets: ChaosTarget[] = []
  const cluster = await openOwnCluster()
  const close = async () => {
    for (const target of targets) await target.stop()
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { databaseUrl, ownerUrl } = await cluster.newDatabase('chaos')
    const [stripePort, hubspotPort, ...serverPorts] = [
      await freePort(),
      await freePort(),
      ...(await Promise.all(Array.from({ length: parts.server }, freePort))),
    ]
    const [stripeUrl, hubspotUrl] = [`http://localhost:${stripePort}`, `http://localhost:${hubspotPort}`]
    const servers = serverPorts.map((port) => `http://localhost:${port}`)
    const [origin = ''] = servers
    const environment = {
      DATABASE_URL: databaseUrl,
      SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      PUBLIC_URL: origin,
      STRIPE_API_URL: stripeUrl,
      HUBSPOT_API_URL: hubspotUrl,
      HUBSPOT_APP_URL: hubspotUrl,
    }
    let writesOfTheDead = 0
    const countWrites = async () => {
      const answer = await pressOn(() => fetch(`${stripeUrl}/_requests`))
      return ((await answer.json()) as { writes: number }).writes
    }
    const simulate = { folder, customers }
    // Each simulator is a process of its own, so that it can be killed alone; its other half stays unused.
    targets.push(
      await startSimulator('stripe', [stripePort ?? 0, await freePort()], simulate, async () => {
        writesOfTheDead += await countWrites()
      }),
    )
    targets.push(await startSimulator('hubspot', [await freePort(), hubspotPort ?? 0], simulate))
    for (const target of startProduct(serverPorts, environment)) targets.push(await target)
    targets.push(targetOfDatabase(cluster))
    return {
      targets,
      ownerUrl,
      hubspotUrl,
      async newPerson(email) {
        await addPerson(databaseUrl, email)
        let turn = 0
        // Like a proxy that tries the next server when one does not answer.
        const insist = insistWith(createVisitor(origin, () => servers[turn++ % servers.length] ?? origin))
        await insist('/api/identity/sign-in/email', { email, password })
        return insist
      },
      async advance(seconds) {
        await pressOn(() =>
          fetch(`${stripeUrl}/_advance`, { method: 'POST', body: JSON.stringify({ seconds }) }),
        )
      },
      account: () => {
        const plan = readFileSync(join(folder, 'stripe', 'account.json'), 'utf8')
        return machineOf(JSON.parse(plan) as AccountPlan).snapshot()
      },
      paymentWrites: async () => writesOfTheDead + (await countWrites()),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function startSimulator(
  kind: 'stripe' | 'hubspot',
  [stripe, hubspot]: [number, number],
  { folder, customers }: { folder: string; customers: number },
  beforeKill?: () => Promise<void>,
): Promise<ChaosTarget> {
  const data = join(folder, kind)
  mkdirSync(data)
  return targetOfProcess({
    kind,
    name: kind,
    args: [
      ...['src/cli/tributary.ts', 'simulators', `--data=${data}`, `--customers=${customers}`],
      ...[`--stripe-port=${stripe}`, `--hubspot-port=${hubspot}`],
    ],
    environment: {},
    ...(beforeKill && { beforeKill }),
  })
}

/** Starts the servers, then the workers, one after the other. */
function* startProduct(
  ports: number[],
  environment: Record<string, string>,
): Generator<Promise<ChaosTarget>> {
  for (const [index, port] of ports.entries()) {
    const settings = { ...environment, PORT: String(port) }
    const args = ['src/server/main.ts']
    yield targetOfProcess({ kind: 'server', name: `server ${index + 1}`, args, environment: settings })
  }
  for (let index = 1; index <= parts.worker; index += 1) {
    const args = ['src/cli/tributary.ts', 'worker']
    yield targetOfProcess({ kind: 'worker', name: `worker ${index}`, args, environment })
  }
}

async function addPerson(databaseUrl: string, email: string): Promise<void> {
  const database = openDatabase({
    url: () => applicationUrl(databaseUrl),
    poolSize: 1,
    statementTimeoutMs: 10_000,
    onError: () => {},
  })
  await addVerifiedUser(database, { email, name: 'Pat', passwordHash: await hashPassword(password) })
  await database.destroy()
}
