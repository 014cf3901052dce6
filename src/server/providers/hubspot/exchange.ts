import { type ErrorAnswer, errorAnswer } from './answers.ts'
import { errorOf, type FailedCall, unanswered } from './hubspot-error.ts'

/** One request and its answer, before the answer is interpreted. */
export type Outgoing = {
  method: 'GET' | 'POST' | 'PATCH'
  url: string
  headers: Record<string, string>
  body?: string | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export type Fetch = (request: Request) => Promise<Response>

const answerBytesMax = 32 * 1024 * 1024

/**
 * Sends a request once and returns the JSON of a success: undefined for an intended empty answer (204), null for a
 * missing body, which may mean that nothing was done. Anything else throws a HubspotError, including redirects and
 * timeouts.
 */
export async function exchange(fetch: Fetch, outgoing: Outgoing): Promise<unknown> {
  const { method, url, body, timeoutMs, signal } = outgoing
  const timeout = AbortSignal.timeout(timeoutMs)
  const asked = { method, path: new URL(url).pathname }
  let status: number
  let text: string
  let headers: Headers
  try {
    const response = await fetch(
      new Request(url, {
        method,
        headers: outgoing.headers,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body !== undefined && { body }),
      }),
    )
    status = response.status
    headers = response.headers
    text = await readText(response)
  } catch (error) {
    signal?.throwIfAborted()
    throw unanswered(asked, error)
  }
  if (status === 204) return undefined
  if (status >= 200 && status < 300) return readSuccess(text, asked)
  if (status < 400) throw unanswered(asked)
  const retryAfterMs = millisecondsOf(headers.get('retry-after'))
  throw errorOf({ status, ...readError(text, headers, asked), retryAfterMs }, asked)
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > answerBytesMax) throw new RangeError('The answer is too large.')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function readSuccess(text: string, asked: FailedCall): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw unanswered(asked)
  }
}

/** A body that is not HubSpot's has no id of the request, but its header may. */
function readError(
  text: string,
  headers: Headers,
  asked: FailedCall,
): { answer: ErrorAnswer; isHubspots: boolean } {
  const inHeader = headers.get('x-hubspot-correlation-id') ?? undefined
  try {
    const answer = errorAnswer.parse(JSON.parse(text))
    return {
      answer: { ...answer, correlationId: answer.correlationId ?? inHeader },
      isHubspots: isHubspots(answer, asked),
    }
  } catch {
    return { answer: { correlationId: inHeader }, isHubspots: false }
  }
}

/** HubSpot may leave out any field of an error, but gateways have none of these. Refused tokens have words of OAuth instead. */
function isHubspots({ status, category, correlationId, error }: ErrorAnswer, { path }: FailedCall): boolean {
  const isOauth = path.startsWith('/oauth/') && (status !== undefined || error !== undefined)
  return status === 'error' || category !== undefined || correlationId !== undefined || isOauth
}

/** Retry-After in seconds. Other forms and invalid values count as absent. */
function millisecondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) * 1_000 : undefined
}
