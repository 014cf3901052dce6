import { allowOutbound, findOutboundHold, holdOutbound } from '#server/store/installation/outbound-hold.ts'
import { asApplication } from './as-owner.ts'

/** Switches the calls to Stripe, HubSpot and the mail server `on` or `off`, and prints their state. */
export function switchOutbound(to: string | undefined): Promise<number> {
  return asApplication('switch calls', async (database) => {
    if (to !== undefined && to !== 'on' && to !== 'off')
      throw new Error('Say on or off: tributary outbound on|off.')
    if (to === 'on') await allowOutbound(database)
    if (to === 'off') await holdOutbound(database)
    const since = await findOutboundHold(database)
    const state = since ? `off since ${since.toISOString()}` : 'on'
    process.stdout.write(`Calls to Stripe, HubSpot and the mail server are ${state}.\n`)
  })
}
