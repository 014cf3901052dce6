/** An arbitrary number, equal in every process: one changes the tables while the others wait or are refused. */
export const ownerLock = 740_112_001
