/** How long the HTTP server waits for senders and readers, and how many it accepts. Slow ones are cut off. */
export const serverLimits = {
  /** For the whole of a request. */
  requestTimeout: 30_000,
  /** For its head. */
  headersTimeout: 10_000,
  /** How often the server looks for connections that are late. */
  connectionsCheckingInterval: 1_000,
  /** How long a kept connection may wait for its next request. */
  keepAliveTimeout: 5_000,
  /** How long a connection may neither send nor take a byte, also before its first byte. */
  timeout: 30_000,
  /** The same limit while an answer is prepared, which may include a request to a provider. */
  answerTimeout: 70_000,
  /** A connection is closed after this many requests; later ones on it get no answer. */
  maxRequestsPerSocket: 100,
  /** Each connection holds at most one answer and costs about ten kilobytes besides. */
  maxConnections: 1_000,
} as const
