import type { Deps } from '../deps.ts'

/**
 * Whether mail stays in the database where everybody can read it. Only allowed when nothing is real, because the
 * page shows every link.
 */
export function showsOutbox({
  smtpUrl,
  hubspot,
  stripe,
}: Pick<Deps['config'], 'smtpUrl' | 'hubspot' | 'stripe'>): boolean {
  return smtpUrl === null && hubspot.isSimulated && stripe.isSimulated
}
