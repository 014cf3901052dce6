import { ConfigError } from './config-error.ts'
import { isDecodable } from './is-decodable.ts'

/** The proxies for outgoing calls, in the names of Node's `ProxyEnv`. */
export type ProxySettings = { http_proxy?: string; https_proxy: string; no_proxy: string }

/** Calls to this machine itself, such as to the simulators, never take a proxy. */
const loopback = 'localhost,127.0.0.1,[::1]'

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY, also in lower case, which wins as in curl and Node. Null when no
 * call takes a proxy. Throws a ConfigError.
 */
export function readProxySettings(environment: NodeJS.ProcessEnv): ProxySettings | null {
  const read = (name: string) => environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || ''
  const without = read('NO_PROXY')
  if (without.split(/[\s,]+/).includes('*')) return null
  const http = readProxy('HTTP_PROXY', read('HTTP_PROXY'))
  // Node's two ways of calling differ about https where only HTTP_PROXY is set; so nothing goes past it.
  const https = readProxy('HTTPS_PROXY', read('HTTPS_PROXY')) ?? http
  if (!https) return null
  return {
    ...(http && { http_proxy: http }),
    https_proxy: https,
    no_proxy: [without, loopback].filter(Boolean).join(','),
  }
}

/** The proxy for a connection to a mail server, by the rules that Node has for https; null for a direct one. */
export function mailProxy(proxy: ProxySettings | null, smtpUrl: string): string | null {
  if (proxy === null) return null
  const { hostname, port } = new URL(smtpUrl)
  const isDirect = proxy.no_proxy.split(/[\s,]+/).some((entry) => {
    const [, pattern = '', onlyPort = ''] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (pattern === '' || (onlyPort !== '' && onlyPort !== port)) return false
    const host = hostname.toLowerCase()
    return /^\*?\./.test(pattern) ? host.endsWith(pattern.replace('*', '')) : host === pattern
  })
  return isDirect ? null : proxy.https_proxy
}

function readProxy(name: string, text: string): string | undefined {
  if (text === '') return undefined
  const protocol = URL.parse(text)?.protocol
  if ((protocol === 'http:' || protocol === 'https:') && isDecodable(text)) return text
  throw new ConfigError(
    `${name}: must be an address such as http://proxy.example.com:3128; write special characters of a password as %40, %25 and so on`,
  )
}
