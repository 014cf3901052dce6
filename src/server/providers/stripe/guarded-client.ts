import Stripe from 'stripe'
import { type Answer, AnswerBrokenOff, type Question, type Send } from '../send.ts'

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
    // As one: where a few characters are beyond Latin, pieces would be put together from text of two kinds.
    const whole = Buffer.concat(pieces, size).toString()
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
function destinationOf(headers: Answer['headers'], from: URL): string {
  const host = URL.parse(headers.location ?? '', from)?.hostname ?? ''
  return host === '' || host === from.hostname ? '' : ` to ${host}`
}

/** An answer with its body, which looks like JSON. */
class WholeAnswer extends Stripe.HttpClientResponse {
  readonly #body: string

  constructor(status: number, headers: Answer['headers'], body: string) {
    // A refusal is Stripe's own word even where its body does not say so.
    const isRefusal = status >= 400 && status < 500
    const strangeness = isRefusal ? undefined : strangenessOfBody(body)
    if (strangeness !== undefined)
      throw new StrangeAnswer(`${strangeness}${status < 300 ? '' : ` and status ${status}`}`)
    super(status, headers as Record<string, string>)
    this.#body = body
  }

  /** The SDK hangs it on what it returns; nothing of ours reads it. */
  override getRawResponse(): object {
    return {}
  }

  override async toJSON(): Promise<unknown> {
    return this._parseResponseBody(this.#body)
  }
}

/** What a body is that cannot be a JSON object, by its first and last sign; undefined where it may be one. */
function strangenessOfBody(body: string): string | undefined {
  const first = /\S/.exec(body)?.[0]
  if (first === undefined) return 'an empty answer'
  if (first === '<') return 'an HTML page'
  if (first !== '{') return 'something that is not JSON'
  return body.trimEnd().endsWith('}') ? undefined : 'an answer that breaks off'
}
