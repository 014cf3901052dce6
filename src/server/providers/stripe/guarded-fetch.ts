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
      throw new StrangeAnswer('a redirect')
    return bounded(response)
  }
}

/** The same answer with its body read whole, as long as it keeps within the limit. */
async function bounded(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body) {
    for await (const chunk of response.body) {
      size += chunk.byteLength
      if (size > answerMaxBytes) throw new StrangeAnswer('an answer without end')
      chunks.push(chunk)
    }
  }
  return new Response(response.body ? Buffer.concat(chunks) : null, {
    status: response.status,
    headers: response.headers,
  })
}
