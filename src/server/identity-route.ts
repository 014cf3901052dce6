import type { Deps } from './deps.ts'
import { collapsedPath } from './http/paths.ts'
import { readBody } from './http/read-body.ts'
import { requireSameOrigin } from './http/same-origin.ts'
import type { Routes } from './http/serve.ts'
import { addressHeader, identityPath } from './providers/identity/paths.ts'

/** Hands the calls below /api/identity to the identity provider, under the same limits as our own. */
export function serveIdentity(hono: Routes, deps: Deps): void {
  hono.all(`${identityPath}/*`, async (c) => {
    const request = c.req.raw
    const isChange = request.method !== 'GET' && request.method !== 'HEAD'
    if (isChange) requireSameOrigin(request.headers, deps.config.publicUrl)
    const body = isChange ? await readBody(request) : undefined
    const url = new URL(request.url)
    url.pathname = collapsedPath(request.url)
    return deps.identity.handle(
      new Request(url, {
        method: request.method,
        headers: withAddress(request.headers, c.env.incoming?.socket?.remoteAddress),
        ...(body !== undefined && body.byteLength > 0 && { body }),
      }),
    )
  })
}

/** The caller's address as the connection shows it; what the caller says of itself is thrown away. */
function withAddress(given: Headers, address: string | undefined): Headers {
  const headers = new Headers(given)
  headers.delete(addressHeader)
  if (address !== undefined) headers.set(addressHeader, address)
  return headers
}
