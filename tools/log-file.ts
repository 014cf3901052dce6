import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs'

const rotateAtBytes = 50_000_000
/** Output beyond this backlog is dropped; otherwise a stalled disk would let it fill the memory. */
const waitingMaxBytes = 10_000_000

export type LogFile = { write(text: string): void; close(): void }

/**
 * A file for a process's output. At 50 MB it becomes `.1` and a new one starts. While the disk is full, lines are dropped
 * and reported once, because a log must not end the process that it records.
 */
export function openLogFile(options: {
  path: string
  /** Called once when lines are dropped, and again only after a successful write. */
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
    // Opened synchronously, so that the file renamed later is this one.
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
