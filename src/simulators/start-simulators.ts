import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { crmSeedOf } from './crm-seed.ts'
import { ecbHistory } from './ecb/history-file.ts'
import { createHubspotSimulator } from './hubspot/simulator.ts'
import { createStripeSimulator } from './stripe/simulator.ts'
import { mountWebhookControls } from './stripe/webhook-controls.ts'
import { WebhookSender } from './stripe/webhooks.ts'
import { readWorld, type SimulatedWorld } from './stripe/world/world.ts'
import { createMachine, type Machine } from './worlds/machine.ts'

/** The inputs of a generated account; stored, so that a restart generates the same account. */
export type AccountPlan = {
  seed: number
  customers: number
  months: number
  /** The instant of its first snapshot, Unix seconds. */
  asOf: number
  /**
   * The steps of its time, in Unix seconds: the same steps give the same account, but one long step may differ from
   * two short ones.
   */
  steps: number[]
}

export type RunningSimulators = { stripeUrl: string; hubspotUrl: string; stop(): Promise<void> }

export type SimulatorOptions = {
  /** A world file; without one an account is generated from a seed. */
  worldFile?: string
  /** The folder of the generated account's plan and of HubSpot's records; without it they exist in memory only. */
  folder?: string
  customers?: number
  /** 0 means any free port. */
  stripePort: number
  hubspotPort: number
  nowMs: () => number
}

/** Starts the simulated Stripe and HubSpot, each on its own port of the loopback address. */
export async function startSimulators(options: SimulatorOptions): Promise<RunningSimulators> {
  if (options.folder) mkdirSync(options.folder, { recursive: true })
  const account = options.worldFile ? fixedAccount(options.worldFile) : generatedAccount(options)
  const stripe = createStripeSimulator({ world: account.world(), clock: options.nowMs })
  const stripeApp = new Hono()
  const webhooks = new WebhookSender(fetch)
  stripeApp.post('/_advance', async (context) => {
    const { seconds } = await context.req.json<{ seconds?: number }>()
    if (!Number.isSafeInteger(seconds) || Number(seconds) < 0)
      return context.json({ error: 'seconds: a whole number' }, 400)
    account.advance(Number(seconds))
    stripe.setWorld(account.world())
    await webhooks.deliver(stripe.world.events ?? [], Math.floor(options.nowMs() / 1000))
    return context.json({ as_of: stripe.world.as_of })
  })
  stripeApp.get('/_ecb/eurofxref-hist.csv', (context) =>
    context.text(ecbHistory(Math.floor(Date.parse(stripe.world.as_of) / 1000))),
  )
  mountWebhookControls(stripeApp, webhooks, () => stripe.world)
  stripeApp.all('*', (context) => stripe.fetch(context.req.raw, context.env as object))
  const stripeServer = await listen(stripeApp.fetch, options.stripePort)

  const hubspotPort = await listen((request, env) => hubspotFetch(request, env), options.hubspotPort)
  const hubspotUrl = `http://localhost:${hubspotPort.port}`
  const hubspot = createHubspotSimulator({
    clock: options.nowMs,
    appUrl: hubspotUrl,
    apiUrl: hubspotUrl,
    seedFrom: crmSeedOf(account.world() as { customers: readonly { id: string }[] }),
    ...(options.folder && { journalPath: join(options.folder, 'hubspot.jsonl') }),
  })
  function hubspotFetch(request: Request, env: object): Promise<Response> {
    return hubspot.fetch(request, env)
  }
  return {
    stripeUrl: `http://localhost:${stripeServer.port}`,
    hubspotUrl,
    stop: async () => {
      await Promise.all([stripeServer.close(), hubspotPort.close()])
    },
  }
}

type Account = { world(): SimulatedWorld; advance(seconds: number): void }

function fixedAccount(file: string): Account {
  const world = readWorld(JSON.parse(readFileSync(file, 'utf8')))
  return {
    world: () => world,
    advance: () => {
      throw new RangeError('an account from a file stands still')
    },
  }
}

function readPlan(file: string): AccountPlan {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as AccountPlan
  } catch (cause) {
    throw new Error(`${file} is damaged. Remove it to begin with a new simulated account.`, { cause })
  }
}

/** Whole or not at all, even if the power fails. */
function keepPlan(file: string, plan: AccountPlan): void {
  writeFileSync(`${file}.half`, JSON.stringify(plan, null, 2), { flush: true })
  renameSync(`${file}.half`, file)
}

function generatedAccount(options: SimulatorOptions): Account {
  const file = options.folder && join(options.folder, 'account.json')
  const nowSeconds = Math.floor(options.nowMs() / 1000)
  const kept = file && existsSync(file) ? readPlan(file) : undefined
  const plan = kept ?? newPlan(options.customers, nowSeconds)
  const machine = machineOf(plan)
  const moveTo = (instant: number) => {
    if (instant <= machine.now()) return
    plan.steps.push(instant)
    machine.runTo(instant)
    if (file) keepPlan(file, plan)
  }
  moveTo(nowSeconds)
  if (file) keepPlan(file, plan)
  return {
    world: () => machine.snapshot().world as unknown as SimulatedWorld,
    advance: (seconds) => moveTo(machine.now() + seconds),
  }
}

/** The account of a plan, at the last step of its time. */
export function machineOf(plan: AccountPlan): Machine {
  const machine = createMachine(plan)
  for (const instant of plan.steps) machine.runTo(instant)
  return machine
}

function newPlan(customers: number | undefined, asOf: number): AccountPlan {
  return { seed: 20_260_101, customers: customers ?? 300, months: 24, asOf, steps: [asOf] }
}

type Fetch = (request: Request, env: object) => Response | Promise<Response>

function listen(fetch: Fetch, port: number): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((done, failed) => {
    const server = serve(
      { fetch: (request, env) => fetch(request, env), port, hostname: '127.0.0.1' },
      (address) =>
        done({
          port: address.port,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed())
              if ('closeAllConnections' in server) server.closeAllConnections()
            }),
        }),
    )
    server.once('error', failed)
  })
}
