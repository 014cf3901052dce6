/** `npm start`: the whole product, including every part that the environment does not provide. */
import './env-file.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#cli/make-folder.ts'
import { oneLine } from '#cli/one-line.ts'
import { buildWeb } from './build-web.ts'
import { checkSettings } from './check-settings.ts'
import { demo, fillDemo } from './demo.ts'
import { type Product, readSecrets, startProduct } from './product.ts'
import { findRunning, dataFolder as folder, forgetRunning, noteRunning } from './running.ts'
import { say } from './say.ts'
import { writeWhole } from './whole-file.ts'

try {
  openFolder()
  refuseSecond()
  readSecrets(folder)
  for (const warning of await checkSettings(settings())) say(`Warning: ${warning}`)
  noteRunning({ pid: process.pid })
} catch (error) {
  end(error)
}

// At Ctrl-C, a program that reads the lines, such as `tee`, ends before this one, which still has to stop its parts.
process.stdout.on('error', () => {})

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

// npm does not pass signals on, so the product stops when the npm that started it is gone.
const starter = process.ppid
if (process.env['npm_lifecycle_event'] === 'start')
  setInterval(() => process.ppid === starter || void stop(0), 1_000).unref()

let product: Product | undefined
try {
  say('Looking whether the web app is built …')
  if (await buildWeb()) say('Built the web app.')
  product = await startProduct({
    hasUsualPorts: true,
    folder,
    environment: settings(),
    say,
    signal: stopping.signal,
    onDeath: (name, lookAt) => {
      say(`The ${name} ended unexpectedly; look at ${lookAt}.`)
      void stop(1)
    },
  })
} catch (error) {
  forgetRunning()
  if (stopping.signal.aborted) process.exit()
  end(error)
}
noteRunning({ pid: process.pid, address: product.address, settings: product.provided })

announce(product)
if (product.hubspotUrl && product.stripeUrl) {
  fillDemo({ address: product.address, say }).catch((error: unknown) => {
    if (!stopping.signal.aborted) say(`The demo organization could not be filled: ${oneLine(error)}`)
  })
}

function end(error: unknown): never {
  process.stderr.write(`Tributary cannot start: ${oneLine(error)}\n`)
  process.exit(1)
}

/** Where the data is. A folder of another user, or on a read-only disk, is refused before anything starts. */
function openFolder(): void {
  try {
    makeFolder(folder)
    // Whether it can be written shows only by writing.
    writeWhole(join(folder, 'written'), '')
    rmSync(join(folder, 'written'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `the data folder ${folder} cannot be written (${code}); give this user the right to, or set TRIBUTARY_DATA to another folder`,
    )
  }
}

function settings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}

function announce({ address, hubspotUrl, stripeUrl }: Product): void {
  const lines = [`Tributary runs at  ${address}`]
  if (hubspotUrl && stripeUrl) {
    lines.push(
      `Demo sign-in       ${demo.email}  /  ${demo.password}`,
      `Mail               ${address}/outbox`,
      `Simulated Stripe   ${stripeUrl}`,
      `Simulated HubSpot  ${hubspotUrl}`,
    )
  }
  process.stdout.write(
    `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n  Logs are in ${join(folder, 'logs')}. Ctrl-C stops everything.\n\n`,
  )
}

/** Stops the running product, or the parts started so far. */
async function stop(code: number): Promise<void> {
  if (stopping.signal.aborted) return
  say('Stopping …')
  process.exitCode = code
  stopping.abort()
  if (product === undefined) return
  await product.stop()
  forgetRunning()
  process.exit()
}

/** Two products on the same data would corrupt each other's work. */
function refuseSecond(): void {
  const running = findRunning()
  if (running === undefined) return
  const at = running.address ? ` at ${running.address}` : ''
  process.stdout.write(`Tributary is already running${at} (process ${running.pid}).\n`)
  process.exit(0)
}
