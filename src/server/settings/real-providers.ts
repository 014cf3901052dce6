/** Where the real providers answer. */
export const realStripe = 'https://api.stripe.com'
export const realHubspot = { apiUrl: 'https://api.hubapi.com', appUrl: 'https://app.hubspot.com' }
