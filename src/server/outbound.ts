import type { Log } from './log.ts'
import { findOutboundHold } from './store/installation/outbound-hold.ts'
import type { Database } from './store/postgres/database.ts'

/** For so long the last look is believed. */
const freshMs = 1_000
const tellAgainMs = 60_000

export const heldMessage =
  'Calls to Stripe, HubSpot and the mail server are off since a restore. `tributary outbound on` switches them on.'

/** Whether this installation may ask anything of anybody, and a wall around whatever does. */
export type Outbound = {
  isHeld(): Promise<boolean>
  /** The same way out, closed while calls are held: it then throws instead of asking. */
  guard<Q extends unknown[], A>(ask: (...question: Q) => Promise<A>): (...question: Q) => Promise<A>
}

/** `now` counts milliseconds from anywhere. */
export function createOutbound(database: Database, log: Log, now: () => number): Outbound {
  let last: { at: number; isHeld: Promise<boolean> } | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  const look = async (): Promise<boolean> => (await findOutboundHold(database)) !== undefined
  const isHeld = async (): Promise<boolean> => {
    if (last === undefined || now() - last.at > freshMs) last = { at: now(), isHeld: look() }
    const held = last.isHeld
    try {
      if (await held) tell()
      return await held
    } catch (error) {
      last = undefined
      throw error
    }
  }
  const tell = (): void => {
    if (now() - toldAt < tellAgainMs) return
    toldAt = now()
    log.warn(heldMessage)
  }
  return {
    isHeld,
    guard:
      (ask) =>
      async (...question) => {
        if (await isHeld()) throw new Error(heldMessage)
        return ask(...question)
      },
  }
}
