/**
 * Calls every list, search and dashboard of an organization with 100,000 subscriptions and 1 million events on a real
 * server, at a constant 50 requests a second, and in parallel those of an organization with 1,000 rows. Then its lists
 * under filters and the sums of these, which read more, at lower rates.
 */
import { rmSync } from 'node:fs'
import { temporaryFolder } from '../tools/postgres.ts'
import { startProduct } from '../tools/product.ts'
import { atConstantRate, quantile } from './constant-rate.ts'
import type { BenchCall } from './lists/calls.ts'
import { type Entered, enter } from './lists/enter.ts'
import type { Size } from './lists/fill.ts'

const scale = Number(process.env['BENCH_SCALE'] ?? 1)
const large: Size = { customers: 100_000 * scale, eventsEach: 10 }
const small: Size = { customers: 100, eventsEach: 8 }
/** Requests a second. */
const rates = { large: { plain: 50, filtered: 5, sums: 1 }, small: 10 }
const seconds = 60
const limits = { p99Ms: 50, sumsP99Ms: 500, slowed: 1.5 }

/** One line: p99 overall and for each kind of call, and how far the small organization is slowed down. */
export async function run() {
  const folder = temporaryFolder('tributary-bench-')
  const product = await startProduct({ folder, environment: { LOG_LEVEL: 'warn' }, say: () => {} })
  try {
    const { address } = product
    // We write the rows as superuser, which bypasses row security.
    const databaseUrl = product.superuserUrl ?? product.databaseUrl
    const [big, little] = [
      await enter(address, databaseUrl, 'large', large),
      await enter(address, databaseUrl, 'small', small),
    ]
    // Warms the server up, so that we measure one that has run for a while.
    for (const one of [big, little])
      await askInTurn(address, one, { perSecond: 10, seconds: one.calls.length / 10 })
    const ask = (one: Entered, perSecond: number, offset = 0) =>
      askInTurn(address, one, { perSecond, seconds }, offset)
    const alone = await ask(little, rates.small)
    const [plain, beside] = await Promise.all([
      ask(only(big, 'plain'), rates.large.plain),
      ask(little, rates.small, 3),
    ])
    const filtered = await ask(only(big, 'filtered'), rates.large.filtered)
    const sums = await ask(only(big, 'sums'), rates.large.sums)
    const crowd = [...plain, ...filtered, ...sums]
    const figures = {
      p99Ms: rounded(quantile(plain, 0.99)),
      p50Ms: rounded(quantile(plain, 0.5)),
      filteredP99Ms: rounded(quantile(filtered, 0.99)),
      sumsP99Ms: rounded(quantile(sums, 0.99)),
      smallSlowed: rounded(quantile(beside, 0.5) / quantile(alone, 0.5)),
      smallSlowedP99: rounded(quantile(beside, 0.99) / quantile(alone, 0.99)),
      refused: [...crowd, ...alone, ...beside].filter(({ status }) => status !== 200).length,
    }
    const slowest = crowd
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, 10)
      .map(({ path, ms }) => `${path} ${rounded(ms)}`)
    return {
      bench: 'lists',
      scale,
      ...figures,
      kinds: byKind(crowd),
      slowest,
      broken: brokenOf(figures),
    }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Timed = Awaited<ReturnType<typeof askInTurn>>[number]

/** Sends the calls in turn, the first of them at `offset`. */
function askInTurn(
  origin: string,
  { cookie, calls }: Entered,
  rate: { perSecond: number; seconds: number },
  offset = 0,
) {
  return atConstantRate(rate, async (number) => {
    const call = calls[(offset + number) % calls.length]
    if (!call) throw new Error('there is nothing to ask for')
    const answer = await fetch(`${origin}${call.path}`, { headers: { cookie } })
    await answer.arrayBuffer()
    return { ...call, status: answer.status }
  })
}

function byKind(timed: readonly Timed[]): Record<string, { p50Ms: number; p99Ms: number }> {
  const kinds = Map.groupBy(timed, ({ kind }) => kind)
  return Object.fromEntries(
    [...kinds].map(([kind, each]) => [
      kind,
      { p50Ms: rounded(quantile(each, 0.5)), p99Ms: rounded(quantile(each, 0.99)) },
    ]),
  )
}

/** The calls of one stream only. */
function only({ cookie, calls }: Entered, stream: BenchCall['stream']): Entered {
  return { cookie, calls: calls.filter((call) => call.stream === stream) }
}

type Figures = {
  p99Ms: number
  filteredP99Ms: number
  sumsP99Ms: number
  smallSlowed: number
  refused: number
}

function brokenOf(figures: Figures): string[] {
  return [
    ...(figures.p99Ms > limits.p99Ms ? ['p99Ms'] : []),
    ...(figures.filteredP99Ms > limits.p99Ms ? ['filteredP99Ms'] : []),
    ...(figures.sumsP99Ms > limits.sumsP99Ms ? ['sumsP99Ms'] : []),
    ...(figures.smallSlowed > limits.slowed ? ['smallSlowed'] : []),
    ...(figures.refused > 0 ? ['refused'] : []),
  ]
}

const rounded = (value: number) => Math.round(value * 100) / 100
