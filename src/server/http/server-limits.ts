/** How long the HTTP server waits for a sender or a reader, and for how many. Who drips or does not read is cut off. */
export const serverLimits = {
  /** For the whole of a request. */
  requestTimeout: 30_000,
  /** For its head. */
  headersTimeout: 10_000,
  /** How often it looks for those who are late. */
  connectionsCheckingInterval: 1_000,
  /** For the next request on a connection that is kept. */
  keepAliveTimeout: 5_000,
  /** For any byte to come or to be taken, also on a connection that has never sent one. */
  timeout: 30_000,
  /** The same while an answer is being made, for which a provider may be asked. */
  answerTimeout: 70_000,
  /** A connection is closed after so many; what comes behind them on it is not answered. */
  maxRequestsPerSocket: 100,
  /** Each holds an answer at most, and costs some ten kilobytes besides. */
  maxConnections: 1_000,
} as const
