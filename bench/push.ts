/**
 * Pushes an account of 20,000 subscriptions and 100,000 events to a simulated HubSpot with the limits of a marketplace
 * app, in real time, and then again without changes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestCluster } from '#test/postgres.ts'
import { templateName } from '#test/template.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { fillAccount } from './push/account.ts'

/** Share of the full account; the limits assume 1. */
const scale = Number(process.env['BENCH_SCALE'] ?? 1)
const size = { subscriptions: 20_000 * scale, events: 100_000 * scale }
const perBatch = 100
const pairsPerBatch = 2_000
/** A marketplace app's limit for one account, and the nine tenths of it that our own limiter allows. */
const requestsPerWindow = { hubspot: 110, limiter: 99 }
const windowSeconds = 10
const limits = { requests: 1.05, seconds: 1.1, share429: 0.01, secondRequests: 5, peakRssMb: 300 }

type Count = { requests: number; writes: number; refused: number; seconds: number; peakRssMb: number }

/**
 * One line of figures: requests and seconds compared with the minimum, the second push, matching, and memory. The limit
 * on seconds refers to our own limiter; the figure for HubSpot's limit is informative.
 */
export async function run(): Promise<{ broken: string[] }> {
  const folder = temporaryFolder('tributary-bench-')
  const hubspot = fork(join(import.meta.dirname, 'push/simulated-hubspot.ts'), [String(size.subscriptions)])
  const { cluster } = await startTestCluster(folder)
  let worker: ChildProcess | undefined
  try {
    const { url } = await firstMessage(hubspot)
    const ownerUrl = cluster.url(templateName)
    const person = await fillAccount(ownerUrl, size)
    const of = [ownerUrl, url, String(person.organizationId), String(person.userId)]
    worker = fork(join(import.meta.dirname, 'push/worker.ts'), of)
    const work = ask(worker)
    await work('connect')
    const matching = await counted(url, () => work('match'))
    // The next push must not wait for the budget that matching used.
    await wait(windowSeconds * 1_000)
    const first = await counted(url, () => work('push'))
    await wait(windowSeconds * 1_000)
    const second = await counted(url, () => work('push'))
    const { peakRssMb } = second
    return report(matching, first, second, peakRssMb)
  } finally {
    hubspot.disconnect()
    worker?.disconnect()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstMessage(child: ChildProcess): Promise<{ url: string }> {
  const [message] = await once(child, 'message')
  return message
}

/** Sends the worker a task; returns its peak memory. */
function ask(worker: ChildProcess) {
  return async (name: 'connect' | 'match' | 'push'): Promise<{ peakRssMb: number }> => {
    worker.send(name)
    const [answer] = await once(worker, 'message')
    if ('error' in answer) throw new Error(answer.error)
    return answer
  }
}

type Counters = { byRoute: Record<string, { requests: number; statuses: Record<string, number> }> }

/** Runs the task and counts the requests to the simulator; reads and searches do not count as writes. */
async function counted(url: string, work: () => Promise<{ peakRssMb: number }>): Promise<Count> {
  await fetch(`${url}/_requests`, { method: 'DELETE' })
  const startedAt = performance.now()
  const { peakRssMb } = await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const counters: Counters = JSON.parse(await (await fetch(`${url}/_requests`)).text())
  const count: Count = { requests: 0, writes: 0, refused: 0, seconds, peakRssMb }
  for (const [route, { requests, statuses }] of Object.entries(counters.byRoute)) {
    if (route.includes('/oauth/')) continue
    count.requests += requests
    if (!route.startsWith('GET') && !/\/(read|search)$/.test(route)) count.writes += requests
    count.refused += statuses['429'] ?? 0
  }
  return count
}

function report(matching: Count, first: Count, second: Count, peakRssMb: number) {
  const { subscriptions, events } = size
  const batches = Math.ceil(subscriptions / perBatch) + Math.ceil(events / perBatch)
  const pairs = 2 * Math.ceil(subscriptions / pairsPerBatch) + 3 * Math.ceil(events / pairsPerBatch)
  const least = batches + pairs
  const leastSecondsAt = (requests: number) => Math.floor((least - 1) / requests) * windowSeconds
  const leastSeconds = leastSecondsAt(requestsPerWindow.limiter)
  const leastSecondsOfHubspot = leastSecondsAt(requestsPerWindow.hubspot)
  const share429 = (first.refused + second.refused) / (first.requests + second.requests)
  const figures = {
    requestsToLeast: rounded(first.requests / least),
    secondsToLeast: rounded(first.seconds / leastSeconds),
    secondsToLeastOfHubspot: rounded(first.seconds / leastSecondsOfHubspot),
    share429: rounded(share429),
    secondRequests: second.requests,
    secondWrites: second.writes,
    peakRssMb: rounded(peakRssMb),
  }
  const broken = [
    figures.requestsToLeast > limits.requests && 'requestsToLeast',
    figures.secondsToLeast > limits.seconds && 'secondsToLeast',
    share429 >= limits.share429 && 'share429',
    second.requests > limits.secondRequests && 'secondRequests',
    second.writes > 0 && 'secondWrites',
    figures.peakRssMb >= limits.peakRssMb && 'peakRssMb',
  ].filter((name) => name !== false)
  return {
    bench: 'push',
    ...size,
    requests: first.requests,
    least,
    seconds: rounded(first.seconds),
    leastSeconds,
    leastSecondsOfHubspot,
    ...figures,
    secondSeconds: rounded(second.seconds),
    matching: { ...matching, seconds: rounded(matching.seconds), peakRssMb: rounded(matching.peakRssMb) },
    broken,
  }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
