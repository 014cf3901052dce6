/**
 * Imports a whole account from a local server, stored and rebuilt into events, and compares it with fetching and parsing
 * the same pages through the SDK. `--large`: 100,000 subscriptions and 1 million invoices instead of 5,000 and 32,000.
 */
import { type Measured, measureImport } from './import/measure-import.ts'
import { type BenchStage, openStage } from './import/stage.ts'

const isLarge = process.argv.includes('--large')
const account = isLarge ? { customers: 500, months: 24, laps: 200 } : { customers: 500, months: 12, laps: 10 }
/** A small import is short, so it runs several times and the median counts. */
const times = isLarge ? 1 : 5

/** Share of the speed at which the SDK reads the lists one page after the other. */
const ofCeilingMin = 0.33
/** Share of the speed that 20 requests a second per endpoint allow, with answers after 100 ms. */
const ofRateLimitMin = 0.85
const rssMbMax = 512
/** Multiple of the fewest possible requests: full pages, and the rest of nested lists. */
const requestsMax = 1.05
const secondRunMax = 0.01
const currentSecondsMax = 75
const paced = { workers: 1, perSecond: 20, delayMs: 100 }

/** One line of figures, with the names of the limits that were exceeded. */
export async function run() {
  const stage = await openStage(account)
  try {
    // The first read makes the templates.
    const { read } = await stage.readAll('in-turn')
    const objects = sumOf(read.map((one) => one.objects))
    const leastRequests = sumOf(read.map((one) => one.pages + one.nestedPages))
    const open = await measureOpen(stage)
    const [alone] = open
    if (!alone) throw new Error('nothing was measured')
    const underLimit = await measureUnderLimit(stage)
    const leastSeconds = Math.max(...read.map(({ pages }) => pages)) / paced.perSecond
    const figures = {
      ofCeiling: rounded(alone.ofCeiling),
      ofRateLimit: isLarge ? null : rounded(leastSeconds / underLimit.seconds),
      ofRateLimitReading: isLarge ? null : rounded(leastSeconds / underLimit.readSeconds),
      rssMb: Math.max(...open.map(({ import: { rssMb } }) => rssMb), underLimit.rssMb),
      requests: rounded(alone.import.requests / leastRequests),
      secondRun: rounded(alone.import.secondRequests / alone.import.requests),
      currentSeconds: rounded(underLimit.currentSeconds ?? underLimit.seconds),
    }
    return { bench: 'import', isLarge, objects, ...figures, open, underLimit, broken: brokenOf(figures) }
  } finally {
    await stage.close()
  }
}

type Open = {
  import: Measured
  objectsPerSecond: number
  ofCeiling: number
  /** Compared with the SDK reading all lists in parallel. */
  ofCeilingBeside: number
}

/** At full speed, with one, two and four worker processes. */
async function measureOpen(stage: BenchStage): Promise<Open[]> {
  const open: Open[] = []
  for (const workers of [1, 2, 4]) {
    const tries: Open[] = []
    for (let lap = 0; lap < (workers === 1 ? times : 1); lap += 1) {
      // Measured right before and right after, because the speed of a shared machine varies.
      const before = await readByTheSdk(stage)
      const imported = await measureImport(stage, { workers, perSecond: 0, delayMs: 0 })
      const after = await readByTheSdk(stage)
      tries.push({
        import: imported,
        objectsPerSecond: Math.round(before.objects / imported.seconds),
        ofCeiling: rounded((before.inTurn + after.inTurn) / 2 / imported.seconds),
        ofCeilingBeside: rounded((before.beside + after.beside) / 2 / imported.seconds),
      })
    }
    const middle = middleOf(tries, (one) => one.ofCeiling)
    const rssMb = Math.max(...tries.map((one) => one.import.rssMb))
    open.push({ ...middle, import: { ...middle.import, rssMb } })
    if (isLarge) break
  }
  return open
}

/** At the speed that the provider's limits allow. */
async function measureUnderLimit(stage: BenchStage): Promise<Measured> {
  const tries: Measured[] = []
  for (let lap = 0; lap < times; lap += 1)
    tries.push(await measureImport(stage, { ...paced, endsWithCurrent: isLarge }))
  const rssMb = Math.max(...tries.map((one) => one.rssMb))
  return { ...middleOf(tries, (one) => one.seconds), rssMb }
}

function middleOf<Try>(tries: readonly Try[], by: (one: Try) => number): Try {
  const middle = tries.toSorted((a, b) => by(a) - by(b))[Math.floor(tries.length / 2)]
  if (!middle) throw new Error('nothing was measured')
  return middle
}

async function readByTheSdk(stage: BenchStage): Promise<{ inTurn: number; beside: number; objects: number }> {
  const inTurn = await stage.readAll('in-turn')
  const beside = await stage.readAll('beside')
  return {
    inTurn: inTurn.seconds,
    beside: beside.seconds,
    objects: sumOf(inTurn.read.map((one) => one.objects)),
  }
}

type Figures = {
  ofCeiling: number
  ofRateLimit: number | null
  rssMb: number
  requests: number
  secondRun: number
  currentSeconds: number
}

function brokenOf(figures: Figures): string[] {
  const holds = {
    ofCeiling: figures.ofCeiling >= ofCeilingMin,
    ofRateLimit: figures.ofRateLimit === null || figures.ofRateLimit >= ofRateLimitMin,
    rssMb: figures.rssMb < rssMbMax,
    requests: figures.requests <= requestsMax,
    secondRun: figures.secondRun < secondRunMax,
    currentSeconds: figures.currentSeconds <= currentSecondsMax,
  }
  return Object.entries(holds).flatMap(([name, isHeld]) => (isHeld ? [] : [name]))
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
