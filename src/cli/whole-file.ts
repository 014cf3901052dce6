import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file that only its owner may read. It gets its name once it is complete and on the disk; before, it has one
 * of its own, so that two commands do not take each other's half.
 */
export async function writeWhole(
  file: string,
  write: (into: NodeJS.WritableStream) => Promise<void>,
): Promise<void> {
  const half = `${file}.${randomBytes(4).toString('hex')}.partial`
  const handle = await open(half, 'wx', 0o600)
  try {
    await write(handle.createWriteStream({ flush: true }))
    await rename(half, file)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(half, { force: true }).catch(() => {})
    throw error
  }
}
