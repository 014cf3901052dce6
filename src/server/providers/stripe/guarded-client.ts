import Stripe from 'stripe'
import { AnswerBrokenOff, type Question, type Send, type SentAnswer } from '../send.ts'
import { parseAnswer } from './parse-answer.ts'
import { mayHoldNul, parseJson } from './parse-json.ts'

/** Far larger than a page of 100 large invoices. */
const answerMaxBytes = 64 * 1024 * 1024

/** The guard refused a request. This is a bug of ours, never an answer of the provider. */
export class WallError extends Error {}

/** An answer that cannot come from Stripe's API, such as a redirect or an endless body. */
export class StrangeAnswer extends Error {}

/** Our own error, also when the SDK has wrapped it as a connection error. */
export function wallErrorIn(error: unknown): WallError | undefined {
  const inner = innerOf(error)
  return inner instanceof WallError ? inner : undefined
}

/** The reason why an answer was refused, also when the SDK has wrapped it. */
export function strangenessOf(error: unknown): string | undefined {
  const inner = innerOf(error)
  return inner instanceof StrangeAnswer ? inner.message : undefined
}

function innerOf(error: unknown): unknown {
  const isWrapped = error instanceof Error && 'detail' in error && error.detail instanceof Error
  return isWrapped ? error.detail : error
}

/**
 * The SDK's only way to Stripe. It allows only GET requests to the configured origin, without a body or redirects,
 * and limits the size of answers. The signal stops the request and the reading.
 */
export class GuardedClient extends Stripe.HttpClient {
  readonly #send: Send
  readonly #origin: string
  readonly #signal: AbortSignal | undefined

  constructor(send: Send, origin: string, signal: AbortSignal | undefined) {
    super()
    this.#send = send
    this.#origin = origin
    this.#signal = signal
  }

  override getClientName(): string {
    return 'node'
  }

  override async makeRequest(
    host: string,
    port: string,
    path: string,
    method: string,
    headers: Question['headers'],
    _body: string,
    protocol: string,
    timeoutMs: number,
  ): Promise<WholeAnswer> {
    if (method !== 'GET') throw new WallError(`A ${method} request to the payment provider was refused.`)
    const url = new URL(`${protocol}://${host}:${port}${path}`)
    if (url.origin !== this.#origin) throw new WallError(`A request to ${url.origin} was refused.`)
    const pieces: Uint8Array[] = []
    let size = 0
    const take = (piece: Uint8Array): void => {
      size += piece.byteLength
      if (size > answerMaxBytes) throw new StrangeAnswer('an answer without end')
      pieces.push(piece)
    }
    const answer = await this.#send({ url, headers, signal: this.#signal, timeoutMs }, take).catch(strangely)
    if (answer.status >= 300 && answer.status < 400)
      throw new StrangeAnswer(`a redirect${destinationOf(answer.headers, url)}`)
    const whole = joined(pieces, size)
    // Listeners of the signal may outlive the request and would keep its data in memory.
    pieces.length = 0
    return new WholeAnswer(answer.status, answer.headers, whole)
  }
}

function strangely(error: unknown): never {
  if (error instanceof StrangeAnswer) throw error
  if (error instanceof AnswerBrokenOff) throw new StrangeAnswer('an answer that breaks off', { cause: error })
  // An error with its own code would make the SDK repeat the request, outside our rate limits.
  throw new Error('The connection failed.', { cause: error })
}

/**
 * Where a redirect leads, if the answer says so. Only the host is kept, because the rest may not come from Stripe.
 */
function destinationOf(headers: SentAnswer['headers'], from: URL): string {
  const host = URL.parse(headers.location ?? '', from)?.hostname ?? ''
  return host === '' || host === from.hostname ? '' : ` to ${host}`
}

/**
 * Bodies up to this size share a permanent buffer. A page of a hundred invoices with ten lines each has half of
 * it.
 */
const keptBytes = 1024 * 1024
const kept = Buffer.allocUnsafeSlow(keptBytes)

/** The complete body. It is valid until the next body is read. */
function joined(pieces: readonly Uint8Array[], size: number): Buffer {
  if (size > keptBytes) return Buffer.concat(pieces, size)
  let at = 0
  for (const piece of pieces) {
    kept.set(piece, at)
    at += piece.byteLength
  }
  return kept.subarray(0, size)
}

/** An answer whose body looks like JSON. */
class WholeAnswer extends Stripe.HttpClientResponse {
  readonly #parsed: { value: unknown } | { error: unknown }

  /** The body is read at once and not stored. */
  constructor(status: number, headers: SentAnswer['headers'], body: Buffer) {
    // A refusal with an unexpected body is still Stripe's answer.
    const isRefusal = status >= 400 && status < 500
    const strangeness = isRefusal ? undefined : strangenessOfBody(body)
    if (strangeness !== undefined)
      throw new StrangeAnswer(`${strangeness}${status < 300 ? '' : ` and status ${status}`}`)
    super(status, headers as Record<string, string>)
    this.#parsed = parsed(body)
  }

  /** The SDK attaches it to its results; our code does not read it. */
  override getRawResponse(): object {
    return {}
  }

  override async toJSON(): Promise<unknown> {
    if ('error' in this.#parsed) throw this.#parsed.error
    return this.#parsed.value
  }
}

function parsed(body: Buffer): { value: unknown } | { error: unknown } {
  try {
    return { value: mayHoldNul(body) ? parseJson(body.toString()) : parseAnswer(body) }
  } catch (error) {
    return { error }
  }
}

/** Describes a body that cannot be a JSON object by its first and last character; undefined when it may be one. */
function strangenessOfBody(body: Buffer): string | undefined {
  const first = body.findIndex((byte) => !isSpace(byte))
  if (first === -1) return 'an empty answer'
  if (body[first] === bytes.tag) return 'an HTML page'
  if (body[first] !== bytes.open) return 'something that is not JSON'
  const last = body.findLast((byte) => !isSpace(byte))
  return last === bytes.close ? undefined : 'an answer that breaks off'
}

const bytes = { tag: 0x3c, open: 0x7b, close: 0x7d }

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
