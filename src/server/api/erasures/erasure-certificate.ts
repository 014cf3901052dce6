import type { Erasure } from '#contract/erasures.ts'
import { countedInErasure } from '#domain/erasure.ts'

const reasons: Readonly<Record<Erasure['reason'], string>> = {
  asked: 'an owner or admin of the organization asked for it',
  redacted: 'the customer was redacted in Stripe',
  deleted: 'the customer was deleted in Stripe, and the organization erases such customers',
}

/** Describes the erasure for a person who has to prove it. Nothing in it reveals who was erased. */
export function certificateOf(erasure: Erasure): string {
  const counted = Object.entries(countedInErasure).map(
    ([what, words]) => `  ${words}: ${erasure.counts[what] ?? 0}`,
  )
  return [
    'Certificate of erasure',
    '',
    `Reference: ${erasure.id}`,
    `Known from now on as: ${erasure.pseudonym}`,
    `Erased at: ${erasure.erasedAt}`,
    `Why: ${reasons[erasure.reason]}`,
    '',
    'Erased here: names, email addresses, domains, texts of invoice lines and digits of payment methods,',
    'in all tables, in the search, in receipts, in Sync History and in the activity log.',
    ...counted,
    '',
    'Kept: amounts, dates and the ids of Stripe, under the pseudonym, so that no total changes; and keyed hashes of',
    'what was erased, by which it is recognized and left out when Stripe or HubSpot sends it again.',
    '',
    `Records of Tributary in HubSpot: ${rewritten(erasure)}`,
    `Contact in HubSpot: ${contact(erasure)}`,
    '',
  ].join('\r\n')
}

function rewritten({ hubspotRewrittenAt }: Erasure): string {
  return hubspotRewrittenAt === null
    ? 'any that exist are rewritten to the pseudonym by the next sync'
    : `rewritten to the pseudonym, done at ${hubspotRewrittenAt}`
}

function contact({ hubspotContact, hubspotContactDeletedAt }: Erasure): string {
  if (hubspotContact === 'deleted')
    return `deleted for good by HubSpot's privacy deletion at ${hubspotContactDeletedAt}`
  return hubspotContact === 'kept' ? 'stays in HubSpot until it is deleted there' : 'none was known'
}
