import { allowOutbound, findOutboundHold, holdOutbound } from '#server/store/installation/outbound-hold.ts'
import { asApplication } from './as-owner.ts'
import { WrongCall } from './usage.ts'

/** Switches the calls to Stripe, HubSpot and the mail server `on` or `off`, and prints their state. Throws WrongCall for another word. */
export function switchOutbound(to: string | undefined): Promise<number> {
  if (to !== undefined && to !== 'on' && to !== 'off') throw new WrongCall(`Unexpected argument '${to}'`)
  return asApplication('switch calls', async (database) => {
    if (to === 'on') await allowOutbound(database)
    if (to === 'off') await holdOutbound(database)
    const since = await findOutboundHold(database)
    const state = since ? `off since ${since.toISOString()}` : 'on'
    process.stdout.write(`Calls to Stripe, HubSpot and the mail server are ${state}.\n`)
  })
}
