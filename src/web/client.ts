import {
  type QueryKey,
  skipToken,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorBody } from '#contract/errors.ts'
import { pageSession } from './page-session.ts'

/** An answer that is not a success; `message` reads '{status}: {body text or status text}'. */
export class ApiError extends Error {
  readonly status: number
  /** The server's message to a person; empty where the answer is not in our error shape. */
  readonly text: string
  /** The server's word for the refusal; empty where the answer is not in our error shape. */
  readonly code: string
  /** What stood in the answer where it was not ours: a short text or the status text, never a page. */
  readonly body: string

  constructor(status: number, text: string, code = '', body = text) {
    super(`${status}: ${body}`)
    this.name = 'ApiError'
    this.status = status
    this.text = text
    this.code = code
    this.body = body
  }
}

/** What the server said, or the fallback where it could not be reached or said nothing. */
export function serverText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.text !== '' ? error.text : fallback
}

type QueryValue = string | number | undefined

/** The address of a call: placeholders filled, empty query values left out, doubled slashes collapsed. */
export function buildUrl(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, QueryValue> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`${path} needs a value for ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const collapsed = filled.replace(/\/{2,}/g, '/')
  return search.size === 0 ? collapsed : `${collapsed}?${search}`
}

export type CallInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params?: z.input<P> | undefined
  query?: z.input<Q> | undefined
  body?: z.input<B> | undefined
}

function urlOf(endpoint: Endpoint, input: { params?: unknown; query?: unknown }): string {
  return buildUrl(endpoint.path, { ...Object(input.params) }, { ...Object(input.query) })
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const refusal = errorBody.safeParse(JSON.parse(text))
    if (refusal.success) {
      const { message, code } = refusal.data.error
      return new ApiError(response.status, message, code)
    }
  } catch {
    // Not JSON: a proxy in between answers in plain text or HTML.
  }
  return new ApiError(response.status, '', '', shortText(text) || response.statusText || 'no answer of ours')
}

/** Longer bodies, and those of a markup, are pages: nothing to show within a sentence. */
const shortTextMax = 200

function shortText(body: string): string {
  const text = body.trim()
  return text.length > shortTextMax || text.includes('<') ? '' : text
}

/** `fetch`, but a call that is refused because the session has ended waits for its owner, and is then made again. */
export async function fetchAsOwner(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(input, init)
    if (response.status !== 401 || !(await pageSession.untilOwnerIsBack(init.signal))) return response
  }
}

/** Changes that are being sent, by what they say: a double click gets the answer of the one that is under way. */
const underway = new Map<string, Promise<unknown>>()

/** Starts a change, or joins the same one where it is still under way. */
function sendOnce<T>(key: string, send: () => Promise<T>): Promise<T> {
  const sent = underway.get(key)
  // Same address and body, so the same endpoint, which parsed the answer.
  if (sent !== undefined) return sent as Promise<T>
  const sending = send().finally(() => underway.delete(key))
  underway.set(key, sending)
  return sending
}

type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = CallInput<P, Q, B> & {
  signal?: AbortSignal | undefined
  /** How the request leaves; without it, on behalf of the page's owner. */
  send?: typeof fetchAsOwner | undefined
}

/**
 * Makes one call of the contract with the session's cookie and returns its checked answer.
 * Raises ApiError for any answer that is not a success, TypeError when the server cannot be reached.
 */
export function call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallOptions<P, Q, B> = {},
): Promise<z.output<R>> {
  const url = urlOf(endpoint, input)
  const { method } = endpoint
  const body = method === 'GET' ? undefined : JSON.stringify(input.body ?? {})
  const send = async (): Promise<z.output<R>> => {
    const response = await (input.send ?? fetchAsOwner)(url, {
      method,
      credentials: 'include',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    })
    if (!response.ok) throw await refusalOf(response)
    return endpoint.response.parse(await response.json())
  }
  return method === 'GET' ? send() : sendOnce(`${method} ${url} ${body}`, send)
}

/** Where a call's answer is kept; without input, the beginning that all answers of the call share. */
export function endpointKey(endpoint: Endpoint, input?: { params?: unknown; query?: unknown }): QueryKey {
  return input === undefined ? [endpoint.path] : [endpoint.path, urlOf(endpoint, input)]
}

export type EndpointOptions<R extends z.ZodType> = Omit<
  UseQueryOptions<z.output<R>, Error>,
  'queryKey' | 'queryFn'
>

/** How a call is made and where its answer is kept: for `useEndpoint`, and for asking before a screen is there. */
export function endpointQuery<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(endpoint: Endpoint<P, Q, B, R>, input: CallInput<P, Q, B> = {}) {
  return {
    queryKey: endpointKey(endpoint, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, { ...input, signal }),
  }
}

/** Reads a call into the cache, under the one key that `endpointKey` gives it. `input` null asks nothing yet. */
export function useEndpoint<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B> | null = {},
  options: EndpointOptions<R> = {},
): UseQueryResult<z.output<R>, Error> {
  const query = input === null ? null : endpointQuery(endpoint, input)
  return useQuery<z.output<R>, Error>({
    ...options,
    queryKey: query?.queryKey ?? [endpoint.path, null],
    queryFn: query?.queryFn ?? skipToken,
  })
}
