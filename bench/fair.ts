/**
 * Lets members of one organization search as fast as the call limit allows, and measures the dashboard and lists of
 * another organization on the same server: its p99 compared with an earlier quiet time.
 */
import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../tools/postgres.ts'
import { startProduct } from '../tools/product.ts'
import { atConstantRate, quantile, type Timed } from './constant-rate.ts'
import { type Entered, enter } from './lists/enter.ts'
import type { Size } from './lists/fill.ts'

const scale = Number(process.env['BENCH_SCALE'] ?? 1)
const greedy: Size = { customers: 20_000 * scale, eventsEach: 10 }
const calm: Size = { customers: 100, eventsEach: 8 }
/** The load of a few people at their dashboards and lists. */
const rate = { perSecond: 8, seconds: 30 }
const slowedMax = 3

/** One line: the quiet organization's p99 alone and beside the greedy one, and the greedy one's answers. */
export async function run() {
  const folder = temporaryFolder('tributary-bench-')
  const product = await startProduct({ folder, environment: { LOG_LEVEL: 'warn' }, say: () => {} })
  try {
    const { address } = product
    // We write the rows as superuser, which bypasses row security.
    const databaseUrl = product.superuserUrl ?? product.databaseUrl
    const crowd = await enter(address, databaseUrl, 'greedy', greedy)
    const other = await enter(address, databaseUrl, 'calm', calm)
    const ask = (seconds: number) => atConstantRate({ ...rate, seconds }, askInTurn(address, other))
    // Warms the server up, so that we measure one that has run for a while.
    await ask(10)
    const quiet = await ask(rate.seconds)
    const searching = startSearching({ origin: address, cookie: crowd.cookie })
    let beside: Timed[]
    try {
      beside = await ask(rate.seconds)
    } finally {
      searching.stop()
    }
    const answers = await searching.answers
    const p99Ms = quantile(quiet, 0.99)
    const besideP99Ms = quantile(beside, 0.99)
    const figures = {
      p50Ms: rounded(quantile(quiet, 0.5)),
      p99Ms: rounded(p99Ms),
      besideP50Ms: rounded(quantile(beside, 0.5)),
      besideP99Ms: rounded(besideP99Ms),
      slowed: rounded(besideP99Ms / p99Ms),
      refused: [...quiet, ...beside].filter(({ status }) => status !== 200).length,
      greedyAnswers: answers,
    }
    const broken = [
      ...(figures.slowed > slowedMax ? [`slowed is over ${slowedMax}`] : []),
      ...(figures.refused > 0 ? ['refused'] : []),
      ...((answers[200] ?? 0) < rate.seconds ? ['greedyAnswers: it was no load'] : []),
    ]
    return { bench: 'fair', scale, ...figures, broken }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function askInTurn(
  origin: string,
  { cookie, calls }: Entered,
): (number: number) => Promise<{ status: number }> {
  const calmly = calls.filter(({ kind }) => !kind.includes('search'))
  return async (number) => {
    const answer = await fetch(`${origin}${calmly[number % calmly.length]?.path}`, { headers: { cookie } })
    await answer.arrayBuffer()
    return { status: answer.status }
  }
}

/** Runs in a process of its own, so that only the server delays the measured calls. */
function startSearching(options: { origin: string; cookie: string }) {
  const child = fork(join(import.meta.dirname, 'fair/search.ts'), { stdio: 'inherit' })
  const answers = new Promise<Record<number, number>>((resolve, reject) => {
    child.once('message', (counts) => resolve(counts as Record<number, number>))
    child.once('exit', () => reject(new Error('the greedy organization died')))
  })
  answers.catch(() => {})
  child.send(options)
  return { answers, stop: () => void child.send('stop') }
}

const rounded = (value: number) => Math.round(value * 100) / 100
