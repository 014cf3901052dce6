/**
 * Whether the key belongs to an organization of accounts. Each request with it has to name the account that it reads
 * (docs.stripe.com/keys/organization-api-keys).
 */
export function isOrganizationKey(apiKey: string): boolean {
  return /^[sr]k_org_/.test(apiKey)
}

/** The id of an account, as people copy it from the provider's settings. */
export const accountIdForm = /^acct_[A-Za-z0-9]+$/
