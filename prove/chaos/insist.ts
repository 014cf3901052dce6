import { setTimeout as sleep } from 'node:timers/promises'
import type { OutageVisitor } from '#test/outage/visitor.ts'

const patienceMs = 5 * 60_000
const againAfterMs = 100
/** The statuses that ask a client to try again during an outage. */
const comeAgain = new Set([429, 503])

/** Repeats a request until its answer is not that of an outage; the caller judges the answer. */
export type Insist = (
  path: string,
  body?: object,
  method?: string,
) => Promise<{ status: number; body: Record<string, unknown> }>

/** A visitor that asks again while the product or its database is down. */
export function insistWith(visit: OutageVisitor): Insist {
  return (path, body, method) =>
    pressOn(
      () => visit(path, body, method),
      ({ status }) => !comeAgain.has(status),
    )
}

/** Repeats an action that throws or whose outcome is not good yet. */
export async function pressOn<T>(action: () => Promise<T>, isGood: (outcome: T) => boolean = () => true) {
  let last: unknown
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(againAfterMs)) {
    try {
      const outcome = await action()
      if (isGood(outcome)) return outcome
      last = outcome
    } catch (error) {
      last = error
    }
  }
  throw new Error(`It did not get better in ${patienceMs / 60_000} minutes.`, { cause: last })
}
