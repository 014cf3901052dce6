import type { Deps } from '../deps.ts'

/**
 * Whether mail stays in the database for everyone to read: only where nothing is real, since the page shows everyone's
 * links to everyone.
 */
export function showsOutbox({
  smtpUrl,
  hubspot,
  stripe,
}: Pick<Deps['config'], 'smtpUrl' | 'hubspot' | 'stripe'>): boolean {
  return smtpUrl === null && hubspot.isSimulated && stripe.isSimulated
}
