import { APIError, type BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { Config } from '../../config.ts'
import { demoEmail, isSimulatedMode } from '../../settings/simulated-mode.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import type { Database } from '../../store/postgres/database.ts'

type DemoDoorOptions = { config: Config; database: Database }

/** Whether a visitor may enter the demo workspace without a password, and it exists. */
export async function hasDemo({ config, database }: DemoDoorOptions): Promise<boolean> {
  return isOpen(config) && (await findUserByEmail(database, demoEmail)) !== undefined
}

/** Only where nothing is real: everybody who finds the address may open this door. */
function isOpen(config: Config): boolean {
  return config.oidc === null && isSimulatedMode(config)
}

/** Signs a visitor in as the owner of the demo workspace. Outside the simulated mode there is no such call. */
export function demoDoor({ config, database }: DemoDoorOptions) {
  return {
    id: 'demo-door',
    endpoints: {
      enterDemo: createAuthEndpoint('/sign-in/demo', { method: 'POST' }, async (ctx) => {
        if (!isOpen(config)) throw new APIError('NOT_FOUND')
        const known = await findUserByEmail(database, demoEmail)
        const { internalAdapter } = ctx.context
        const user = known === undefined ? null : await internalAdapter.findUserById(String(known.id))
        if (user === null) {
          throw new APIError('NOT_FOUND', {
            message: 'The demo workspace is not ready yet. Try again in a minute.',
          })
        }
        await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user })
        return ctx.json({ status: true })
      }),
    },
  } satisfies BetterAuthPlugin
}
