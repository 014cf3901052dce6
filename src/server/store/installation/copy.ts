import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** The driver's COPY interface, most of which its types omit. */
type Wire = {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(piece: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

const pieceBytes = 64 * 1024

/** A COPY as a query of the driver: `submit` starts it, and the handlers receive PostgreSQL's answers. */
abstract class Copy {
  /** The number of copied rows. */
  readonly rows: Promise<number>
  readonly #text: string
  readonly #settle = Promise.withResolvers<number>()
  #count = 0
  #failure: { error: unknown } | undefined

  constructor(text: string) {
    this.#text = text
    this.rows = this.#settle.promise
  }

  submit(connection: unknown): void {
    ;(connection as Wire).query(this.#text)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#count = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? Number.NaN)
  }

  handleError(error: unknown): void {
    this.fail(error)
    this.settle()
  }

  handleReadyForQuery(): void {
    this.settle()
  }

  protected fail(error: unknown): void {
    this.#failure ??= { error }
  }

  protected settle(): void {
    if (this.#failure) this.#settle.reject(this.#failure.error)
    else this.#settle.resolve(this.#count)
  }
}

class CopyOut extends Copy {
  readonly #take: (piece: Buffer) => Promise<void>
  #kept: Buffer[] = []
  #size = 0
  #taken: Promise<void> = Promise.resolve()

  constructor(text: string, take: (piece: Buffer) => Promise<void>) {
    super(text)
    this.#take = take
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Wire): void {
    // Copy the chunk, because the driver reuses its buffer.
    this.#kept.push(Buffer.from(chunk))
    this.#size += chunk.byteLength
    if (this.#size < pieceBytes) return
    stream.pause()
    void this.#pass().finally(() => stream.resume())
  }

  override handleReadyForQuery(): void {
    void this.#pass().finally(() => this.settle())
  }

  #pass(): Promise<void> {
    const piece = Buffer.concat(this.#kept)
    this.#kept = []
    this.#size = 0
    this.#taken = this.#taken.then(() => this.#take(piece)).catch((error: unknown) => this.fail(error))
    return this.#taken
  }
}

class CopyIn extends Copy {
  readonly #pieces: AsyncIterable<Buffer>

  constructor(text: string, pieces: AsyncIterable<Buffer>) {
    super(text)
    this.#pieces = pieces
  }

  handleCopyInResponse(connection: Wire): void {
    void this.#send(connection)
  }

  async #send(connection: Wire): Promise<void> {
    try {
      for await (const piece of this.#pieces) {
        connection.sendCopyFromChunk(piece)
        if (connection.stream.writableNeedDrain)
          await new Promise((next) => connection.stream.once('drain', next))
      }
      connection.endCopyFrom()
    } catch (error) {
      this.fail(error)
      connection.sendCopyFail('The rows could not be read.')
    }
  }
}

/** Passes on the output of `copy … to stdout`, piece by piece; returns the number of rows. */
export function copyOut(
  client: pg.Client,
  text: string,
  take: (piece: Buffer) => Promise<void>,
): Promise<number> {
  return client.query(new CopyOut(text, take)).rows
}

/** Sends the pieces to `copy … from stdin`; returns the number of rows. */
export function copyIn(client: pg.Client, text: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  return client.query(new CopyIn(text, pieces)).rows
}
