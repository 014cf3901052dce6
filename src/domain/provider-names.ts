/** The brand behind each role, for texts that people read. An adapter takes its name from here as well. */
export const providerNames = { payments: 'Stripe', crm: 'HubSpot' } as const

/** What a run says while it repeats a request that got no answer, or only an error of the provider's own. */
export const unansweredText = (role: keyof typeof providerNames) =>
  `${providerNames[role]} isn't answering. Retrying…`
