import { isLive, readConfig } from '#server/config.ts'
import { readDatabaseUrl } from '#server/settings/database-url.ts'
import { applicationUrl, NotMigrated } from '#server/store/installation/application-role.ts'

const somewhere = 'http://localhost:1'
/** What `npm start` provides itself unless the environment does; the values only have to be valid. */
const provided = { DATABASE_URL: 'postgres://owner:password@localhost:1/tributary' }
/** Settings of simulated providers that nobody calls. */
export const simulated = {
  SEAL_KEYS: `1:${Buffer.alloc(32).toString('base64')}`,
  STRIPE_API_URL: somewhere,
  HUBSPOT_API_URL: somewhere,
  HUBSPOT_APP_URL: somewhere,
}

/**
 * Checks every setting, and that the named database answers, before anything is built or started. Throws the
 * first fault. Returns the warnings.
 */
export async function checkSettings(environment: Record<string, string>): Promise<string[]> {
  const { warnings } = readConfig({ ...provided, ...(!isLive(environment) && simulated), ...environment })
  if (!environment['DATABASE_URL']) return warnings
  await applicationUrl(readDatabaseUrl(environment['DATABASE_URL'])).catch((error: unknown) => {
    if (!(error instanceof NotMigrated)) throw error
  })
  return warnings
}
