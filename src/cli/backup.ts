import { createReadStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { enqueueOpenRuns } from '#server/jobs/enqueue.ts'
import { installQueues } from '#server/jobs/install-queues.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { takeBackup } from '#server/store/installation/backup.ts'
import { BadBackup } from '#server/store/installation/backup-file.ts'
import { noteBackup } from '#server/store/installation/last-backup.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { restoreBackup } from '#server/store/installation/restore.ts'
import { openDatabase } from '#server/store/postgres/database.ts'
import { asOwner } from './as-owner.ts'
import { writeWhole } from './whole-file.ts'

/** Writes the whole database of DATABASE_URL to a new file, which gets its name only once it is complete. */
export function backup(file: string): Promise<number> {
  return asOwner('back up', async (url) => {
    refuseTaken(file)
    let rows: Record<string, number> = {}
    await writeWhole(file, async (into) => {
      const packed = createGzip({ level: 4 })
      const written = pipeline(packed, into)
      // Awaited at the end; this stops an early rejection from being reported as unhandled. A full disk ends the next
      // write.
      written.catch(() => {})
      try {
        rows = await takeBackup(url, async (piece) => {
          if (!packed.write(piece)) await Promise.race([once(packed, 'drain'), written])
        })
        packed.end()
        await written
      } finally {
        packed.destroy()
      }
      refuseTaken(file)
    })
    await noteBackup(url)
    process.stdout.write(
      `${told(rows)} are in ${file}. Keep SEAL_KEYS with it: without them it opens no connection.\n`,
    )
  })
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new Error(`${file} is there already. Name another file.`)
}

/** Restores such a file into the empty database of DATABASE_URL and migrates it. Calls to the providers stay off. */
export function restore(file: string): Promise<number> {
  return asOwner('restore', async (url) => {
    const rows = await restoreBackup(url, () => unpacked(file))
    await migrate(url)
    await installQueues(url)
    const database = openDatabase({
      url: await applicationUrl(url),
      poolSize: 1,
      statementTimeoutMs: 30_000,
      onError: () => {},
    })
    try {
      const runs = await enqueueOpenRuns(database)
      process.stdout.write(
        `${told(rows)} were restored, as many as were backed up; ${runs} open imports and pushes wait for a worker.\n` +
          'Calls to Stripe, HubSpot and the mail server are off. Where this is to take the place of the original, ' +
          'switch them on by `tributary outbound on`.\n' +
          'Everybody has to sign in again.\n' +
          'Before anything else runs, apply the newest list of erasures: `tributary erasures apply FILE`. Whoever was ' +
          'erased or deleted since this backup is in it again.\n',
      )
    } finally {
      await database.destroy()
    }
  })
}

async function* unpacked(file: string): AsyncGenerator<Buffer> {
  const unpack = createGunzip()
  const read = pipeline(createReadStream(file), unpack)
  read.catch(() => {})
  try {
    yield* unpack
    await read
  } catch (error) {
    if (!String(Object(error)['code']).startsWith('Z_')) throw error
    throw new BadBackup(`${file} is damaged, cut off or no backup: take another one, or copy it again.`)
  }
}

function once(stream: NodeJS.WritableStream, event: string): Promise<void> {
  return new Promise((next) => stream.once(event, () => next()))
}

function told(rows: Record<string, number>): string {
  const counts = Object.values(rows)
  return `${counts.reduce((sum, count) => sum + count, 0)} rows of ${counts.length} tables`
}
