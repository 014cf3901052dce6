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
  /** The server's message to a person; empty when the answer is not in our error shape. */
  readonly text: string
  /** The code that the server gives the refusal; empty when the answer is not in our error shape. */
  readonly code: string
  /** A short text of an answer that is not in our error shape, or the status text; never a whole page. */
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

/** Returns the server's message, or the fallback when the server was not reached or sent no message. */
export function serverText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.text !== '' ? error.text : fallback
}

type QueryValue = string | number | undefined

/** Builds the address of a call: fills the placeholders, leaves out empty query values and collapses double slashes. */
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
    // The body is not JSON: a proxy between us and the server answers in plain text or HTML.
  }
  return new ApiError(response.status, '', '', shortText(text) || response.statusText || 'no answer of ours')
}

/** A longer body or one with markup is a page, which cannot be shown within a sentence. */
const shortTextMax = 200

function shortText(body: string): string {
  const text = body.trim()
  return text.length > shortTextMax || text.includes('<') ? '' : text
}

/**
 * Works like `fetch`, but a call that is refused because the session has ended waits for the owner and is then
 * repeated.
 */
export async function fetchAsOwner(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(input, init)
    if (response.status !== 401 || !(await pageSession.untilOwnerIsBack(init.signal))) return response
  }
}

/**
 * Changes that are being sent, by their content. A double click gets the answer of the change that is already on its
 * way.
 */
const underway = new Map<string, Promise<unknown>>()

/** Sends a change, or joins an identical one that is still on its way. */
function sendOnce<T>(key: string, send: () => Promise<T>): Promise<T> {
  const sent = underway.get(key)
  // The same address and body belong to the same endpoint, which has parsed the answer.
  if (sent !== undefined) return sent as Promise<T>
  const sending = send().finally(() => underway.delete(key))
  underway.set(key, sending)
  return sending
}

type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = CallInput<P, Q, B> & {
  signal?: AbortSignal | undefined
  /** How the request is sent; the default sends it for the owner of the page. */
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

/** The cache key of a call's answer. Without input, it is the prefix that all answers of the call share. */
export function endpointKey(endpoint: Endpoint, input?: { params?: unknown; query?: unknown }): QueryKey {
  return input === undefined ? [endpoint.path] : [endpoint.path, urlOf(endpoint, input)]
}

export type EndpointOptions<R extends z.ZodType> = Omit<
  UseQueryOptions<z.output<R>, Error>,
  'queryKey' | 'queryFn'
>

/**
 * Says how a call is made and where its answer is cached. `useEndpoint` uses it, and so do calls that start before a
 * screen exists.
 */
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

/** Reads a call into the cache under the key that `endpointKey` returns. With `input` null it makes no call. */
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
