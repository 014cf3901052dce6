import type { Log } from './log.ts'
import { findOutboundHold } from './store/installation/outbound-hold.ts'
import type { Database } from './store/postgres/database.ts'

/** How long the last answer of the database stays valid. */
const freshMs = 1_000
const tellAgainMs = 60_000

export const heldMessage =
  'Calls to Stripe, HubSpot and the mail server are off, by a restore or `tributary outbound off`. `tributary outbound on` switches them on.'

/** Whether this installation may call other services, and a guard around every such call. */
export type Outbound = {
  isHeld(): Promise<boolean>
  /** Returns a sender that throws instead of sending while calls are held. */
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
