import { Refusal } from '../refusal.ts'

const loopbackTwins: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }

/** The origins whose pages may ask for changes: our own, and on a developer's machine its other spelling. */
export function ownOrigins(publicUrl: string): string[] {
  const own = new URL(publicUrl)
  const twin = loopbackTwins[own.hostname]
  return twin === undefined ? [own.origin] : [own.origin, own.origin.replace(own.hostname, twin)]
}

/**
 * Refuses a change that another site's page asks for. Browsers name the origin of every change; a caller that is no
 * browser names none, and carries no one's cookies unknowingly.
 */
export function requireSameOrigin(headers: Headers, publicUrl: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = origin !== null && !ownOrigins(publicUrl).includes(origin)
  if (isForeign || (site !== null && site !== 'same-origin')) {
    throw new Refusal('forbidden', 'The request comes from another site. Make it from a page of this one.')
  }
}
