import { existsSync, statfsSync } from 'node:fs'

/**
 * A folder in memory with room for a run's databases and browsers, on systems that have one: a test creates and removes a
 * thousand files with each database.
 */
export function memory(): string | undefined {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 4 * 2 ** 30 ? folder : undefined
}
