/** An arbitrary number, equal in every process: one changes the tables while the others wait or are refused. */
export const ownerLock = 740_112_001
/**
 * The number of another lock. Every backup shares it, and whoever changes tables holds it alone: to a snapshot from
 * before, a table that was rewritten in between is empty.
 */
export const backupLock = 740_112_003
