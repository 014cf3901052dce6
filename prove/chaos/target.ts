import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnCluster } from '#test/outage/own-cluster.ts'
import { type Part, startPart } from '#test/outage/processes.ts'

export type PartKind = 'worker' | 'server' | 'stripe' | 'hubspot' | 'database'

/** Something that a blow can hit; blows on the same target wait for each other. */
export type ChaosTarget = {
  kind: PartKind
  name: string
  /** Kills it and starts it again after `awayMs`; resolves when it is back. */
  kill(awayMs: number): Promise<void>
  freeze(ms: number): Promise<void>
  /** How often it ended unasked, and its last output. */
  ownEnds(): { count: number; lastWords: string }
  stop(): Promise<void>
}

const lookEveryMs = 200
const startAgainAfterMs = 500

/** A process that is restarted whenever it ends, as by a service manager. */
export async function targetOfProcess(options: {
  kind: PartKind
  name: string
  args: string[]
  environment: Record<string, string>
  beforeKill?: () => Promise<void>
}): Promise<ChaosTarget> {
  const { kind, name, args, environment, beforeKill } = options
  const part = await startPart(args, environment)
  const inTurn = queue()
  let isOver = false
  let count = 0
  let lastWords = ''
  const watching = (async () => {
    for (; !isOver; await sleep(lookEveryMs)) {
      await inTurn(async () => {
        if (isOver || part.isAlive()) return
        count += 1
        lastWords = part.output().slice(-2_000)
        await untilStarted(part, 0, () => isOver)
      })
    }
  })()
  return {
    kind,
    name,
    kill: (awayMs) =>
      inTurn(async () => {
        await beforeKill?.()
        await untilStarted(part, awayMs, () => isOver)
      }),
    freeze: (ms) => inTurn(() => part.freeze(ms)),
    ownEnds: () => ({ count, lastWords }),
    async stop() {
      isOver = true
      await part.stop()
      await watching
      await part.stop()
    },
  }
}

/** A process may fail to start while the database is down; then we try again. */
async function untilStarted(part: Part, awayMs: number, isOver: () => boolean): Promise<void> {
  for (let wait = awayMs; !isOver(); wait = startAgainAfterMs) {
    try {
      return await part.killAndStart(wait)
    } catch {}
  }
}

export function targetOfDatabase(cluster: OwnCluster): ChaosTarget {
  const inTurn = queue()
  let turn = 0
  return {
    kind: 'database',
    name: 'database',
    kill: () => inTurn(() => cluster.restart(turn++ % 2 === 0 ? 'SIGKILL' : 'SIGQUIT')),
    freeze: () => Promise.reject(new Error('The processes of a database cannot be frozen together.')),
    ownEnds: () => ({ count: 0, lastWords: '' }),
    stop: () => Promise.resolve(),
  }
}

/** Runs actions one after the other; only the caller of an action sees its failure. */
function queue(): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (action) => {
    const next = last.then(action)
    last = next.catch(() => {})
    return next
  }
}
