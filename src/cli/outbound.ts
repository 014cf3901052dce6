import { NewerDatabase } from '#server/require-known-migrations.ts'
import {
  allowOutbound,
  findOutboundHold,
  holdOutbound,
  isHoldAsKnown,
} from '#server/store/installation/outbound-hold.ts'
import { findUnknownMigrations } from '#server/store/installation/pending-migrations.ts'
import type { Database } from '#server/store/postgres/database.ts'
import { asApplication } from './as-owner.ts'
import { WrongCall } from './usage.ts'

/** Switches the calls to Stripe, HubSpot and the mail server `on` or `off`, and prints their state. Throws WrongCall for another word. */
export function switchOutbound(to: string | undefined): Promise<number> {
  if (to !== undefined && to !== 'on' && to !== 'off') throw new WrongCall(`Unexpected argument '${to}'`)
  const work = async (database: Database) => {
    const unknown = await findUnknownMigrations(database)
    // Off is the brake for a bad hour, in which the right version may not be at hand: it writes this one row only.
    if (unknown.length > 0 && (to === 'on' || !(await isHoldAsKnown(database))))
      throw new NewerDatabase(unknown)
    if (to === 'on') await allowOutbound(database)
    if (to === 'off') await holdOutbound(database)
    const since = await findOutboundHold(database)
    const state = since ? `off since ${since.toISOString()}` : 'on'
    process.stdout.write(`Calls to Stripe, HubSpot and the mail server are ${state}.\n`)
  }
  return asApplication('switch calls', work, 'left to the work')
}
