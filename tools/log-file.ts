import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs'

const rotateAtBytes = 50_000_000
/** What is not written within this much is dropped, or a disk that stands still would fill the memory. */
const waitingMaxBytes = 10_000_000

export type LogFile = { write(text: string): void; close(): void }

/**
 * A file that a process's output is added to. From 50 MB on it goes on anew, and the one before it stays as `.1`. Where the disk
 * is full lines are dropped, which is said once, until it takes them again: a log must not end what it tells of.
 */
export function openLogFile(options: {
  path: string
  /** Told once when lines are dropped, and again after they were written meanwhile. */
  onDrop: (reason: string) => void
  rotateAt?: number
}): LogFile {
  const { path, onDrop, rotateAt = rotateAtBytes } = options
  let size = sizeOf(path)
  let isDropping = false
  let stream: WriteStream | undefined
  const drop = (reason: string): void => {
    if (!isDropping) onDrop(reason)
    isDropping = true
  }
  const open = (): WriteStream => {
    // At once, so that the file that is renamed later is this one.
    const opened = createWriteStream(path, { fd: openSync(path, 'a') })
    opened.on('error', (error: NodeJS.ErrnoException) => {
      if (stream === opened) stream = undefined
      drop(error.code === 'ENOSPC' ? 'the disk is full' : error.message)
    })
    return opened
  }
  const rotate = (): void => {
    stream?.end()
    stream = undefined
    size = 0
    try {
      renameSync(path, `${path}.1`)
    } catch (error) {
      drop(error instanceof Error ? error.message : String(error))
    }
  }
  return {
    write(text) {
      const bytes = Buffer.byteLength(text)
      if (size > 0 && size + bytes > rotateAt) rotate()
      try {
        stream ??= open()
      } catch (error) {
        return drop(error instanceof Error ? error.message : String(error))
      }
      if (stream.writableLength + bytes > waitingMaxBytes) return drop('the disk does not keep up')
      size += bytes
      stream.write(text, (error) => {
        if (!error) isDropping = false
      })
    },
    close: () => stream?.end(),
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
