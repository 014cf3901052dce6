import { isIP } from 'node:net'

/** The address to which HubSpot sends the browser back; must be in the app's file, letter by letter. */
export function redirectUrlOf(publicUrl: string): string {
  return `${publicUrl}/api/hubspot/callback`
}

export type RedirectProblem = { isRefused: boolean; text: string }

/**
 * What HubSpot will not like about an address, in one sentence with what to do; null if nothing is known. It takes
 * plain http only on localhost (app configuration guide), and is reported to refuse IP addresses altogether.
 */
export function redirectProblem(publicUrl: string): RedirectProblem | null {
  const { protocol, hostname, port } = new URL(publicUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:' && ['127.0.0.1', '::1'].includes(host)) {
    const local = `http://localhost${port === '' ? '' : `:${port}`}`
    return { isRefused: true, text: `HubSpot takes http only on localhost. Set PUBLIC_URL to ${local}.` }
  }
  if (protocol === 'http:' && host !== 'localhost') {
    const text =
      'HubSpot takes http only on localhost. Set PUBLIC_URL to an address that begins with https://.'
    return { isRefused: true, text }
  }
  if (isIP(host) === 0) return null
  const text =
    'HubSpot is reported to refuse redirect addresses with an IP. Set PUBLIC_URL to an address with a host name.'
  return { isRefused: false, text }
}
