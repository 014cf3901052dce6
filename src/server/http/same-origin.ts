import { Refusal } from '../refusal.ts'

const loopbackTwins: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }

/** The origins whose pages may request changes: our own, and its other spelling on a developer's machine. */
export function ownOrigins(publicUrl: string): string[] {
  const own = new URL(publicUrl)
  const twin = loopbackTwins[own.hostname]
  return twin === undefined ? [own.origin] : [own.origin, own.origin.replace(own.hostname, twin)]
}

/**
 * Refuses changes that another site's page requests. Browsers send the origin with every change. A caller without
 * an origin is not a browser, so it does not send a person's cookies without that person's knowledge.
 */
export function requireSameOrigin(headers: Headers, publicUrl: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = origin !== null && !ownOrigins(publicUrl).includes(origin)
  if (isForeign || (site !== null && site !== 'same-origin')) {
    throw new Refusal('forbidden', 'The request comes from another site. Make it from a page of this one.')
  }
}
