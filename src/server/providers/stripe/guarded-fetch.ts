/** Sends a request that has passed the wall. The global fetch fits, and so does a simulator's. */
export type Fetch = (request: Request) => Promise<Response>

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
 * The only way to Stripe: GET and nothing else, to the configured origin and no other, without a body and without
 * following redirects, with an answer of bounded size. The signal ends the request and the reading of its answer.
 */
export function guardFetch(
  fetch: Fetch,
  origin: string,
  signal: AbortSignal | undefined,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
    if (method !== 'GET') throw new WallError(`A ${method} request to the payment provider was refused.`)
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) throw new WallError(`A request to ${url.origin} was refused.`)
    const signals = [init?.signal, signal].filter((one) => one !== null && one !== undefined)
    const request = new Request(url, {
      method: 'GET',
      headers: new Headers(init?.headers),
      redirect: 'manual',
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    })
    const response = await fetch(request)
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw new StrangeAnswer(`a redirect${destinationOf(response, url)}`)
    if (response.url !== '' && new URL(response.url).origin !== origin)
      throw new StrangeAnswer('an answer from another host')
    return bounded(response, request.signal)
  }
}

/** Where a redirect leads, if it says; no more of it than the host, since it is not Stripe's word. */
function destinationOf(response: Response, from: URL): string {
  const host = URL.parse(response.headers.get('location') ?? '', from)?.hostname ?? ''
  return host === '' || host === from.hostname ? '' : ` to ${host}`
}

/** The same answer with its body read whole, as long as it keeps within the limit and looks like JSON. */
async function bounded(response: Response, signal: AbortSignal): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > answerMaxBytes) throw new StrangeAnswer('an answer without end')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof StrangeAnswer || signal.aborted) throw error
    throw new StrangeAnswer('an answer that breaks off')
  }
  const body = Buffer.concat(chunks)
  // A refusal is Stripe's own word even where its body does not say so.
  const strangeness = response.ok || response.status >= 500 ? strangenessOfBody(body) : undefined
  if (strangeness !== undefined) {
    const status = response.ok ? '' : ` and status ${response.status}`
    throw new StrangeAnswer(`${strangeness}${status}`)
  }
  const { status, headers } = response
  // The text as it is: a new body would be copied and decoded piece by piece all over again.
  const answer = new Response(null, { status, headers })
  // The web server's own Response has a getter there, which cannot be assigned to.
  Object.defineProperty(answer, 'text', { value: async () => body.toString() })
  return answer
}

const [brace, endBrace, angle] = [0x7b, 0x7d, 0x3c]
const isSpace = (byte: number | undefined) => byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13)

/** What a body is that cannot be a JSON object, by its first and last sign; undefined where it may be one. */
function strangenessOfBody(body: Uint8Array): string | undefined {
  let [first, last] = [0, body.length - 1]
  while (isSpace(body[first])) first += 1
  while (isSpace(body[last])) last -= 1
  if (first > last) return 'an empty answer'
  if (body[first] === angle) return 'an HTML page'
  if (body[first] !== brace) return 'something that is not JSON'
  return body[last] === endBrace ? undefined : 'an answer that breaks off'
}
