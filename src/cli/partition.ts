import { ConfigError } from '#server/settings/config-error.ts'
import { partitionTables, undoPartitioning } from '#server/store/installation/partition-tables.ts'
import { asOwner } from './as-owner.ts'

const mostParts = 256

/** Partitions the tables of the database of DATABASE_URL, or takes back a partitioning that was interrupted. */
export function partition({ parts, undo }: { parts: string; undo: boolean }): Promise<number> {
  return asOwner('partition', async (url) => {
    const tell = (line: string) => process.stdout.write(`${line}\n`)
    if (undo) {
      tell(
        (await undoPartitioning(url))
          ? 'The partitioning was taken back; all tables are as they were before it.'
          : 'No partitioning was begun.',
      )
      return
    }
    const count = readParts(parts)
    const tables = await partitionTables(url, { parts: count, tell })
    tell(
      tables.length > 0
        ? `${tables.length} tables are divided by organization into ${count} parts. Servers and workers can start.`
        : 'Every table of organizations is partitioned already.',
    )
  })
}

/** The number of parts that the command line asks for. */
export function readParts(parts: string): number {
  const count = Number(parts)
  if (!Number.isInteger(count) || count < 2 || count > mostParts)
    throw new ConfigError(`--parts must be a whole number from 2 to ${mostParts}, and is ${parts}`)
  return count
}
