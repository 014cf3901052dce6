import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AccountPlan, machineOf, startSimulators } from '#simulators/start-simulators.ts'
import { scopesOnPage, settingsOf } from '#test/going-live.ts'
import { declareSecret } from '#test/leaks.ts'
import { freePort, temporaryFolder } from '../tools/postgres.ts'
import { openPostbox, type Postbox } from './postbox.ts'
import { type BrowserWorld, openWorld } from './world.ts'

/** The portal of the simulated HubSpot that has custom objects. */
export const hubId = 24_180_001
const customers = 12

/** An installation with the settings of docs/going-live.md, whose providers are the simulators. */
export type LiveWorld = {
  world: BrowserWorld
  postbox: Postbox
  hubspotUrl: string
  subscriptions: number
  /** Runs `npm run tributary -- COMMAND`, with the same settings. */
  tributary(...args: string[]): Promise<string>
  /** A key that somebody makes in HubSpot, with the scopes of the page. */
  newServiceKey(): Promise<string>
  control(path: string, body: object): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/**
 * Fills in the settings of the page's sections as a person would. Only the address, which is on this machine, and the
 * addresses of the providers differ from the page.
 */
export async function openLiveWorld(headings: string[]): Promise<LiveWorld> {
  const folder = temporaryFolder('tributary-live-')
  const simulators = await startSimulators({
    folder,
    customers,
    stripePort: 0,
    hubspotPort: 0,
    nowMs: Date.now,
  })
  const account = machineOf(JSON.parse(readFileSync(join(folder, 'account.json'), 'utf8')) as AccountPlan)
  const worldFile = join(folder, 'world.json')
  writeFileSync(worldFile, JSON.stringify(account.snapshot().world))
  const postbox = await openPostbox()
  const port = await freePort()
  const sealKey = randomBytes(32).toString('base64')
  declareSecret('the sealing key of the page', sealKey)
  const environment: Record<string, string> = {
    ...Object.assign({}, ...headings.map(settingsOf)),
    PUBLIC_URL: `http://localhost:${port}`,
    SMTP_URL: postbox.url,
    PORT: String(port),
    STRIPE_API_URL: simulators.stripeUrl,
    STRIPE_DASHBOARD_URL: simulators.stripeUrl,
    HUBSPOT_API_URL: simulators.hubspotUrl,
    HUBSPOT_APP_URL: simulators.hubspotUrl,
  }
  fillIn(environment, 'SEAL_KEYS', sealKey)
  fillIn(environment, 'HUBSPOT_CLIENT_ID', 'tributary-demo')
  fillIn(environment, 'HUBSPOT_CLIENT_SECRET', 'tributary-demo-secret')
  const world = await openWorld({ environment, simulatorArgs: [`--world=${worldFile}`] })
  const control = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return (await (await fetch(`${simulators.hubspotUrl}${path}`, init)).json()) as Record<string, unknown>
  }
  return {
    world,
    postbox,
    hubspotUrl: simulators.hubspotUrl,
    subscriptions: account.snapshot().truth.subscriptions.length,
    tributary: (...args) => tributary(environment, args),
    newServiceKey: async () => {
      const scopes = scopesOnPage.map(({ name }) => name).filter((name) => name !== 'oauth')
      const { key } = await control('/_control/service-key', { hubId: String(hubId), scopes })
      return String(key)
    },
    control,
    close: async () => {
      const { writes } = (await (await fetch(`${simulators.stripeUrl}/_requests`)).json()) as {
        writes: number
      }
      await world.close()
      await postbox.close()
      await simulators.stop()
      rmSync(folder, { recursive: true, force: true })
      if (writes > 0) throw new Error(`${writes} writes to the payment provider were tried`)
    },
  }
}

/** The page has dots where each person has a value of their own. */
function fillIn(environment: Record<string, string>, name: string, value: string): void {
  const written = environment[name]
  if (written !== undefined) environment[name] = written.replace('…', value)
}

async function tributary(environment: Record<string, string>, args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['src/cli/tributary.ts', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...environment },
  })
  let text = ''
  child.stdout.on('data', (data) => (text += String(data)))
  const code = await new Promise((done) => child.once('close', done))
  if (code !== 0) throw new Error(`tributary ${args.join(' ')} ended with ${code}`)
  return text
}
