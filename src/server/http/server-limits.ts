/** How long the HTTP server waits for a sender. One that drips is cut off instead of holding a socket for minutes. */
export const serverLimits = {
  /** For the whole of a request. */
  requestTimeout: 30_000,
  /** For its head. */
  headersTimeout: 10_000,
  /** How often it looks for those who are late. */
  connectionsCheckingInterval: 1_000,
  /** For the next request on a connection that is kept. */
  keepAliveTimeout: 5_000,
} as const
