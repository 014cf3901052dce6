/** An arbitrary number, equal in every process: one changes the tables while the others wait or are refused. */
export const ownerLock = 740_112_001
/**
 * Another lock, so that no table is rewritten during a backup, which would read it as empty. Backups share it; what
 * changes tables holds it alone.
 */
export const backupLock = 740_112_003
