import { openDatabase } from '#server/store/database.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { allowOutbound, findOutboundHold, holdOutbound } from '#server/store/installation/outbound-hold.ts'
import { asOwner } from './as-owner.ts'

/** Switches the calls to Stripe, HubSpot and the mail server `on` or `off`, and tells how they are. */
export function switchOutbound(to: string | undefined): Promise<number> {
  return asOwner('switch calls', async (ownerUrl) => {
    if (to !== undefined && to !== 'on' && to !== 'off')
      throw new Error('Say on or off: tributary outbound on|off.')
    const database = openDatabase({
      url: await applicationUrl(ownerUrl),
      poolSize: 1,
      statementTimeoutMs: 30_000,
      onError: () => {},
    })
    try {
      if (to === 'on') await allowOutbound(database)
      if (to === 'off') await holdOutbound(database)
      const since = await findOutboundHold(database)
      const state = since ? `off since ${since.toISOString()}` : 'on'
      process.stdout.write(`Calls to Stripe, HubSpot and the mail server are ${state}.\n`)
    } finally {
      await database.destroy()
    }
  })
}
