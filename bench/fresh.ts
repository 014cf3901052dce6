/**
 * Changes customers in the simulated Stripe and measures when the ledger and HubSpot have each change: one at a time with a
 * webhook, one every second with a webhook, and one at a time without.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillDemo, openDemo } from '../tools/demo.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { startProduct } from '../tools/product.ts'
import { type ChangeArrival, openChanges } from './fresh/changes.ts'

const scale = Number(process.env['BENCH_SCALE'] ?? 1)
const signingSecret = 'whsec_of_the_bench'
const changes = Math.ceil(10 * scale)
const streamSeconds = Math.ceil(60 * scale)
const changesWithout = Math.ceil(3 * scale)
const mostSeconds = { ledger: 5, crm: 15, gathered: 30, without: 5 * 60 + 15 }
/** A person's next change in Stripe rarely follows sooner. */
const pauseMs = 5_000

/** One line: seconds from a change to the ledger and to HubSpot. */
export async function run() {
  const folder = temporaryFolder('tributary-bench-')
  const product = await startProduct({ folder, environment: { LOG_LEVEL: 'warn' }, say: () => {} })
  try {
    await fillDemo({ address: product.address, say: () => {} })
    const browser = await openDemo(product.address)
    const { address } = await browser.call('PUT', '/api/stripe/webhook', { signingSecret })
    const endpoint = { url: String(address), secret: signingSecret }
    const world = await openChanges(product.superuserUrl ?? product.databaseUrl, String(product.stripeUrl))
    const single = await oneByOne(changes, () => world.change(endpoint))
    const stream: Promise<ChangeArrival>[] = []
    for (let second = 0; second < streamSeconds; second += 1) {
      stream.push(world.change(endpoint))
      await sleep(1_000)
    }
    const gathered = await Promise.all(stream)
    const without = await oneByOne(changesWithout, () => world.change())
    await world.close()
    const figures = {
      single: summary(single),
      everySecond: summary(gathered),
      withoutWebhook: summary(without),
    }
    return { bench: 'fresh', scale, ...figures, broken: brokenLimits(figures) }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function oneByOne(count: number, change: () => Promise<ChangeArrival>): Promise<ChangeArrival[]> {
  const arrivals: ChangeArrival[] = []
  for (let number = 0; number < count; number += 1) {
    arrivals.push(await change())
    await sleep(pauseMs)
  }
  return arrivals
}

type Summary = ReturnType<typeof summary>

function summary(arrivals: ChangeArrival[]) {
  const of = (place: keyof ChangeArrival) => {
    const sorted = arrivals.map((one) => one[place]).sort((a, b) => a - b)
    return { median: rounded(sorted[Math.floor(sorted.length / 2)]), longest: rounded(sorted.at(-1)) }
  }
  return { changes: arrivals.length, ledger: of('ledger'), crm: of('crm') }
}

function brokenLimits({ single, everySecond, withoutWebhook }: Record<string, Summary>): string[] {
  const limits: [string, number | undefined, number][] = [
    ['single.ledger.median', single?.ledger.median, mostSeconds.ledger],
    ['single.crm.median', single?.crm.median, mostSeconds.crm],
    ['everySecond.crm.median', everySecond?.crm.median, mostSeconds.crm],
    ['everySecond.crm.longest', everySecond?.crm.longest, mostSeconds.gathered],
    ['withoutWebhook.crm.longest', withoutWebhook?.crm.longest, mostSeconds.without],
  ]
  return limits.flatMap(([name, seconds = Number.POSITIVE_INFINITY, most]) =>
    seconds > most ? [`${name} is over ${most} s`] : [],
  )
}

const rounded = (seconds = Number.NaN) => Math.round(seconds * 100) / 100
