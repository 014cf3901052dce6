import Stripe from 'stripe'
import { AnswerBrokenOff, type Question, type Send, type SentAnswer } from '../send.ts'
import { parseAnswer } from './parse-answer.ts'

/** An answer of a page of 100 large invoices stays far below it. */
const answerMaxBytes = 64 * 1024 * 1024

/** The wall was hit: a defect of ours, never a provider's answer. */
export class WallError extends Error {}

/** An answer that cannot be from Stripe's API, such as a redirect or one without end. */
export class StrangeAnswer extends Error {}

/** The one of ours that was thrown, also where the SDK has wrapped it as a lost connection. */
export function wallErrorIn(error: unknown): WallError | undefined {
  const inner = innerOf(error)
  return inner instanceof WallError ? inner : undefined
}

/** What was strange about an answer, wrapped or not. */
export function strangenessOf(error: unknown): string | undefined {
  const inner = innerOf(error)
  return inner instanceof StrangeAnswer ? inner.message : undefined
}

function innerOf(error: unknown): unknown {
  const isWrapped = error instanceof Error && 'detail' in error && error.detail instanceof Error
  return isWrapped ? error.detail : error
}

/**
 * The SDK's only way to Stripe: GET and nothing else, to the configured origin and no other, without a body and without
 * following redirects, with an answer of bounded size. The signal ends the request and the reading of its answer.
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
    // What listens to the signal may outlive the request for a while, and would keep its bytes.
    pieces.length = 0
    return new WholeAnswer(answer.status, answer.headers, whole)
  }
}

function strangely(error: unknown): never {
  if (error instanceof StrangeAnswer) throw error
  if (error instanceof AnswerBrokenOff) throw new StrangeAnswer('an answer that breaks off', { cause: error })
  // With a code of its own on it the SDK would ask again by itself, at nobody's pace.
  throw new Error('The connection failed.', { cause: error })
}

/** Where a redirect leads, if it says; no more of it than the host, since it is not Stripe's word. */
function destinationOf(headers: SentAnswer['headers'], from: URL): string {
  const host = URL.parse(headers.location ?? '', from)?.hostname ?? ''
  return host === '' || host === from.hostname ? '' : ` to ${host}`
}

/** Bodies up to this size are put together in memory that is kept; a page of a hundred invoices with ten lines each has half. */
const keptBytes = 1024 * 1024
const kept = Buffer.allocUnsafeSlow(keptBytes)

/** The body as one, until the next one is. */
function joined(pieces: readonly Uint8Array[], size: number): Buffer {
  if (size > keptBytes) return Buffer.concat(pieces, size)
  let at = 0
  for (const piece of pieces) {
    kept.set(piece, at)
    at += piece.byteLength
  }
  return kept.subarray(0, size)
}

/** An answer with what its body says, which looks like JSON. */
class WholeAnswer extends Stripe.HttpClientResponse {
  readonly #parsed: { value: unknown } | { error: unknown }

  /** The body is read at once and not kept. */
  constructor(status: number, headers: SentAnswer['headers'], body: Buffer) {
    // A refusal is Stripe's own word even where its body does not say so.
    const isRefusal = status >= 400 && status < 500
    const strangeness = isRefusal ? undefined : strangenessOfBody(body)
    if (strangeness !== undefined)
      throw new StrangeAnswer(`${strangeness}${status < 300 ? '' : ` and status ${status}`}`)
    super(status, headers as Record<string, string>)
    this.#parsed = parsed(body)
  }

  /** The SDK hangs it on what it returns; nothing of ours reads it. */
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
    return { value: parseAnswer(body) }
  } catch (error) {
    return { error }
  }
}

/** What a body is that cannot be a JSON object, by its first and last sign; undefined where it may be one. */
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
