import { addressHeader, identityPath } from '../providers/identity/paths.ts'
import { Refusal } from '../refusal.ts'
import { errorCodeOf } from '../store/postgres/error-code.ts'
import { errorAnswer } from './answer-error.ts'
import { clientAddressOf } from './client-address.ts'
import { collapsedPath } from './paths.ts'
import { readBody } from './read-body.ts'
import { ownOrigins, requireSameOrigin } from './same-origin.ts'
import type { Router } from './serve.ts'

/** Hands the calls below /api/identity to the identity provider, under the same limits as our own. */
export function serveIdentity({ hono, deps, limitStrangers }: Router): void {
  hono.all(`${identityPath}/*`, async (c) => {
    const request = c.req.raw
    const isChange = request.method !== 'GET' && request.method !== 'HEAD'
    if (isChange) requireSameOrigin(request.headers, deps.config.publicUrl)
    const address = clientAddressOf(deps.config)(request.headers, c.env.incoming?.socket?.remoteAddress)
    limitStrangers(address)
    const body = isChange ? await readBody(request) : undefined
    const url = new URL(request.url)
    url.pathname = collapsedPath(request.url)
    const answer = await deps.identity
      .handle(
        new Request(url, {
          method: request.method,
          headers: withAddress(request.headers, address),
          ...(body !== undefined && body.byteLength > 0 && { body }),
        }),
      )
      .catch(refuseUnusable)
    requireOwnDestination(answer, deps.config.publicUrl)
    return answer.status === 404 && answer.body === null
      ? errorAnswer('not_found', 'There is no such call. Check its address.')
      : answer
  })
}

/** SQLSTATE of values that no column can take: class 22, such as a NUL or a number out of range, and a missing one. */
const unusable = /^(22...|23502)$/

/** The library hardly checks texts. A value that only the database refuses is therefore the caller's mistake. */
function refuseUnusable(error: unknown): never {
  if (unusable.test(errorCodeOf(error)))
    throw new Refusal('invalid_request', 'A value in the request cannot be used. Check what was entered.')
  throw error
}

/**
 * The library accepts '/..//host' as a path of ours and resolves it to '//host', which is the address of another
 * site.
 */
function requireOwnDestination(answer: Response, publicUrl: string): void {
  const location = answer.headers.get('location')
  if (answer.status < 300 || answer.status > 399 || location === null) return
  const origin = URL.parse(location, publicUrl)?.origin ?? ''
  if (!ownOrigins(publicUrl).includes(origin)) {
    throw new Refusal('forbidden', 'The request leads to another site. Begin again on the start page.')
  }
}

/** Sets the caller's address as we know it and removes any that the caller claims. */
function withAddress(given: Headers, address: string | undefined): Headers {
  const headers = new Headers(given)
  headers.delete(addressHeader)
  if (address !== undefined) headers.set(addressHeader, address)
  return headers
}
