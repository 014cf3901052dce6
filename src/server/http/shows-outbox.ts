import type { Deps } from '../deps.ts'

/**
 * Whether mail stays in the database for everyone to read: only where nothing is real, since the page shows everyone's
 * links to everyone.
 */
export function showsOutbox({ smtpUrl, hubspot }: Pick<Deps['config'], 'smtpUrl' | 'hubspot'>): boolean {
  return smtpUrl === null && hubspot.isSimulated
}
