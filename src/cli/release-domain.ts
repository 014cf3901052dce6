import { releaseDomain } from '#server/work/organization/release-domain.ts'
import { asApplication } from './as-owner.ts'

/** Releases a domain from the organization that claimed it. */
export function releaseClaim(typed: string): Promise<number> {
  return asApplication('release a domain', async (database) => {
    const released = await releaseDomain(database, typed)
    if (released === undefined) throw new Error(`No organization has claimed ${typed}.`)
    const { domain, organization, told } = released
    process.stdout.write(
      `Released ${domain}, which ${organization} had claimed. Owners told by mail: ${told}.\n`,
    )
  })
}
