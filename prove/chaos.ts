import { parseArgs } from 'node:util'
import { seeded } from '#test/safety/chance.ts'
import { type Blow, deal, drawBlows, tellBlows } from './chaos/blows.ts'
import { checkPortal, compareLedgers, findOpenRuns, findWrongFigures } from './chaos/check.ts'
import { type Ended, newOwner, type Owner } from './chaos/owner.ts'
import { type ChaosStage, openStage } from './chaos/stage.ts'
import { rememberCancellations, type TakenBack } from './chaos/taken-back.ts'

const customers = 200
const hour = 3_600
/** How far the account's clock moves before a round. */
const movesOn = { leastHours: 6, mostHours: 5 * 24 }
/** The owner restarts a run that ended badly, as a person would. */
const triesMax = 5
const shownMax = 20

const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Imports and pushes an advancing account in rounds, while parts of the product and its providers are killed and frozen.
 * Returns whether the final ledger equals a fresh import's and HubSpot has every record exactly once.
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: options,
    options: { rounds: { type: 'string' }, seed: { type: 'string' } },
  })
  const [rounds, seed] = [wholeNumber(values.rounds, 24), wholeNumber(values.seed, 1)]
  say(`Chaos: ${rounds} rounds, seed ${seed}. Starting everything …`)
  const stage = await openStage(customers)
  try {
    const owner = await newOwner(stage, 'followed')
    await owner.connectHubspot()
    const random = seeded(seed)
    const takenBack = rememberCancellations()
    const dealt: Blow[] = []
    const ended: Ended[] = []
    const wrong: string[] = []
    for (let number = 1; number <= rounds; number += 1) {
      const round = await goRound(stage, { owner, random, takenBack })
      dealt.push(...round.blows)
      ended.push(...round.ended)
      wrong.push(...round.wrong.map((what) => `round ${number}: ${what}`))
      say(`round ${number}: ${round.told}`)
    }
    return await sumUp(stage, { owner, takenBack, dealt, ended, wrong })
  } finally {
    await stage.close()
  }
}

async function goRound(
  stage: ChaosStage,
  { owner, random, takenBack }: { owner: Owner; random: () => number; takenBack: TakenBack },
) {
  const beganAt = performance.now()
  const { leastHours, mostHours } = movesOn
  const hours = Math.round(leastHours + random() * (mostHours - leastHours))
  const what = random() < 0.5 ? 'import' : 'whole import'
  const blows = drawBlows(random)
  await stage.advance(hours * hour)
  let isDealing = true
  const dealing = deal(blows, stage.targets).finally(() => {
    isDealing = false
  })
  dealing.catch(() => {})
  const ended: Ended[] = []
  do {
    ended.push(await owner.drive(what))
    ended.push(await owner.drive('push'))
  } while (isDealing)
  await dealing
  const wrong = [
    ...(await untilCompleted(owner, what, ended)),
    ...(await untilCompleted(owner, 'push', ended)),
    ...(await findOpenRuns(stage)),
  ]
  const figures = await findWrongFigures(stage, owner, takenBack)
  wrong.push(...figures.wrong)
  const seconds = Math.round((performance.now() - beganAt) / 1_000)
  const badly = ended.filter(({ status }) => status !== 'completed')
  const told = [
    `${(hours / 24).toFixed(1)} days on, ${what} and push, ${tellBlows(blows)}`,
    `${ended.length} runs${badly.map(({ kind, error }) => `, a failed ${kind} (${error})`).join('')}`,
    `MRR ${(figures.mrr / 100).toFixed(2)} USD`,
    wrong.length === 0 ? 'all true' : `WRONG: ${wrong.slice(0, shownMax).join(', ')}`,
    `${seconds} s`,
  ].join('; ')
  return { blows, ended, wrong, told }
}

/** Requires that the newest run of the kind ended well, with nothing left out. */
async function untilCompleted(owner: Owner, what: Parameters<Owner['drive']>[0], ended: Ended[]) {
  const kind = what === 'push' ? 'push' : 'import'
  for (let tries = 0; tries < triesMax; tries += 1) {
    const last = ended.findLast((one) => one.kind === kind)
    if (last?.status === 'completed' && last.failedRecords === 0) return []
    ended.push(await owner.drive(what))
  }
  const last = ended.findLast((one) => one.kind === kind)
  return [
    `the ${kind} does not end well: ${last?.status}, ${last?.error}, ${last?.failedRecords} records failed`,
  ]
}

type Course = { owner: Owner; takenBack: TakenBack; dealt: Blow[]; ended: Ended[]; wrong: string[] }

async function sumUp(stage: ChaosStage, { owner, takenBack, dealt, ended, wrong }: Course): Promise<boolean> {
  const fresh = await newOwner(stage, 'fresh')
  const freshEnd = await fresh.drive('whole import')
  if (freshEnd.status !== 'completed') wrong.push(`the fresh import ${freshEnd.status}: ${freshEnd.error}`)
  const differences = await compareLedgers(stage, { followed: owner, fresh, takenBack })
  const portal = await checkPortal(stage)
  const open = await findOpenRuns(stage)
  const writes = await stage.paymentWrites()
  const ownEnds = stage.targets.flatMap(({ name, ownEnds }) => {
    const { count, lastWords } = ownEnds()
    return count === 0 ? [] : [`${name} ended by itself ${count} times: ${lastWords}`]
  })
  const badly = ended.filter(({ status }) => status !== 'completed').length
  const all = [...wrong, ...differences, ...portal.wrong, ...open, ...ownEnds]
  for (const one of all.slice(0, shownMax)) say(`  ${one.slice(0, 1_500)}`)
  if (all.length > shownMax) say(`  and ${all.length - shownMax} more`)
  say(`${dealt.length} blows: ${tellBlows(dealt)}`)
  say(`${ended.length} imports and pushes, ${badly} of them failed and were started again`)
  say(`${wrong.length} wrong figures and ends in the rounds`)
  say(`${differences.length} differences between the ledger and that of a fresh import`)
  say(
    `${takenBack.ids().size} cancellations that were taken back stand in the followed ledger alone, as they should`,
  )
  say(`${portal.wrong.length} wrong among ${portal.keys} keys in HubSpot`)
  say(
    `${open.length} runs open, ${writes} writes to Stripe, ${ownEnds.length} processes that ended by themselves`,
  )
  return all.length === 0 && writes === 0
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text}: must be a whole number`)
  return Number(text)
}
