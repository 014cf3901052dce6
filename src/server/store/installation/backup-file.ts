import { createHash } from 'node:crypto'

/**
 * The head of a backup. The file consists of lines: this as JSON; for each table its name and columns as JSON, its
 * rows from COPY, then `\.`; counts and sequences as JSON; last the SHA-256 of all before.
 */
export type BackupHead = { tributary: typeof backupFormat; migrations: string[]; madeAt: string }
export type BackupTable = { table: string; columns: string[] }
export type BackupEnd = { rows: Record<string, number>; sequences: Record<string, number> }

export const backupFormat = 'backup 1'
/** COPY escapes backslashes and line breaks in values, so no row can equal this line. */
export const endOfRows = Buffer.from('\\.\n')
const pieceBytes = 64 * 1024
const lineBreak = 10

/** The file is not a backup, or is incomplete. */
export class BadBackup extends Error {}

/** Writes such a file through `write` and computes its checksum. */
export function createBackupWriter(write: (piece: Buffer) => Promise<void>) {
  const hash = createHash('sha256')
  const add = async (piece: Buffer): Promise<void> => {
    hash.update(piece)
    await write(piece)
  }
  return {
    add,
    addJson: (value: BackupHead | BackupTable | BackupEnd) => add(Buffer.from(`${JSON.stringify(value)}\n`)),
    finish: () => write(Buffer.from(`${hash.digest('hex')}\n`)),
  }
}

/** Reads such a file from the start; a caller that reads rows must read all of them. */
export class BackupReader {
  readonly #lines: AsyncGenerator<Buffer>
  readonly #hash = createHash('sha256')

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#lines = linesOf(pieces)
  }

  async readHead(): Promise<BackupHead> {
    const head = parse<BackupHead>(await this.#next())
    if (head?.tributary !== backupFormat || !Array.isArray(head.migrations))
      throw new BadBackup('This file is no backup of Tributary that this version can read.')
    return head
  }

  /** The next table, or the end part after the last one. */
  async readPart(): Promise<BackupTable | BackupEnd> {
    const part = parse<BackupTable | BackupEnd>(await this.#next())
    if (part === undefined) throw new BadBackup('The backup is damaged.')
    return part
  }

  /** The rows of the table that was read last, in pieces of many lines. */
  async *readRows(): AsyncGenerator<Buffer> {
    let lines: Buffer[] = []
    let size = 0
    for (let line = await this.#next(); !line.equals(endOfRows); line = await this.#next()) {
      lines.push(line)
      size += line.byteLength
      if (size < pieceBytes) continue
      yield Buffer.concat(lines)
      lines = []
      size = 0
    }
    yield Buffer.concat(lines)
  }

  /** Reads the last line and throws unless its checksum matches the file. */
  async finish(): Promise<void> {
    const told = this.#hash.digest('hex')
    const last = await this.#lines.next()
    const more = await this.#lines.next()
    if (last.done || !more.done || last.value.toString() !== `${told}\n`)
      throw new BadBackup('The backup is damaged: its checksum is another one.')
  }

  async #next(): Promise<Buffer> {
    const next = await this.#lines.next()
    if (next.done) throw new BadBackup('The backup is not whole: its end is missing.')
    this.#hash.update(next.value)
    return next.value
  }
}

function parse<T>(line: Buffer): T | undefined {
  try {
    return JSON.parse(line.toString()) as T
  } catch {
    return undefined
  }
}

/** Each line includes its line break. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(lineBreak); at !== -1; at = piece.indexOf(lineBreak, from)) {
      begun.push(piece.subarray(from, at + 1))
      yield begun.length === 1 ? piece.subarray(from, at + 1) : Buffer.concat(begun)
      begun = []
      from = at + 1
    }
    if (from < piece.length) begun.push(piece.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}
