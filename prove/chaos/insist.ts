import { setTimeout as sleep } from 'node:timers/promises'
import type { OutageVisitor } from '#test/outage/visitor.ts'

const patienceMs = 5 * 60_000
const againAfterMs = 100
/** What whoever asks in the middle of an outage is told to do: ask again. */
const comeAgain = new Set([429, 503])

/** Asks until there is an answer that is none of an outage; what it says is the caller's. */
export type Insist = (
  path: string,
  body?: object,
  method?: string,
) => Promise<{ status: number; body: Record<string, unknown> }>

/** The visitor, who asks again while the product or its database is away. */
export function insistWith(visit: OutageVisitor): Insist {
  return (path, body, method) =>
    pressOn(
      () => visit(path, body, method),
      ({ status }) => !comeAgain.has(status),
    )
}

/** Tries again what throws, or whose outcome is not good yet. */
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
