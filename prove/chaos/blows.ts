import { setTimeout as sleep } from 'node:timers/promises'
import { pick } from '#test/safety/chance.ts'
import type { ChaosTarget, PartKind } from './target.ts'

/** One blow of a round, drawn before the round begins, so that the same seed repeats it. */
export type Blow = {
  afterMs: number
  kind: PartKind
  /** The index of the target among its kind, modulo their number. */
  which: number
  deed: { verb: 'kill'; awayMs: number } | { verb: 'freeze'; ms: number }
}

/** How many of 132 blows hit each kind, like a day of bad luck: workers most often. */
const kills: readonly (readonly [PartKind, number])[] = [
  ['worker', 85],
  ['server', 24],
  ['stripe', 4],
  ['hubspot', 4],
  ['database', 7],
]
const frozen: readonly PartKind[] = ['worker', 'worker', 'worker', 'server', 'stripe', 'hubspot']
const freezes = 10
const awayMostMs = 2_000
const freezeMs = { least: 2_000, most: 18_000 }
const apartMs = { least: 50, most: 2_000 }
const blowsARound = [4, 5, 6, 7] as const

/** The blows of one round. */
export function drawBlows(random: () => number): Blow[] {
  const between = ({ least, most }: { least: number; most: number }) => least + random() * (most - least)
  return Array.from({ length: pick(random, blowsARound) }, (): Blow => {
    const afterMs = between(apartMs)
    const which = Math.floor(random() * 6)
    const sum = kills.reduce((all, [, weight]) => all + weight, freezes)
    let drawn = random() * sum
    for (const [kind, weight] of kills) {
      drawn -= weight
      if (drawn < 0) return { afterMs, kind, which, deed: { verb: 'kill', awayMs: random() * awayMostMs } }
    }
    return { afterMs, kind: pick(random, frozen), which, deed: { verb: 'freeze', ms: between(freezeMs) } }
  })
}

/** Deals the blows one after the other, without waiting for a freeze to end; resolves when all are over. */
export async function deal(blows: readonly Blow[], targets: readonly ChaosTarget[]): Promise<void> {
  const frosts: Promise<void>[] = []
  for (const { afterMs, kind, which, deed } of blows) {
    await sleep(afterMs)
    const ofKind = targets.filter((target) => target.kind === kind)
    const target = ofKind[which % ofKind.length]
    if (!target) throw new Error(`There is no ${kind} to strike.`)
    if (deed.verb === 'freeze') frosts.push(target.freeze(deed.ms))
    else await target.kill(deed.awayMs)
  }
  await Promise.all(frosts)
}

/** The blows in words, grouped by kind. */
export function tellBlows(blows: readonly Blow[]): string {
  const words = blows.map(({ kind, deed }) => (deed.verb === 'kill' ? `${kind} killed` : `${kind} frozen`))
  return [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => (length === 1 ? word : `${word} ${length}x`))
    .join(', ')
}
