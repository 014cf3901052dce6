/** The brand behind each role, for texts that people read. An adapter takes its name from here as well. */
export const providerNames = { payments: 'Stripe', crm: 'HubSpot' } as const
