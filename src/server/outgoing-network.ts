import http from 'node:http'
import { getCACertificates } from 'node:tls'
import type { Config } from './config.ts'
import { ConfigError } from './settings/config-error.ts'

/**
 * Sends every later HTTP request of this process through the proxies of the settings, whichever library makes it:
 * `fetch`, `node:http` and `node:https` alike. Mail has its own way; see the SMTP adapter.
 */
export function takeProxy({ proxy }: Pick<Config, 'proxy'>): void {
  if (proxy === null) return
  if (typeof http.setGlobalProxyFromEnv !== 'function')
    throw new ConfigError('HTTPS_PROXY: needs Node 24.14 or newer; update Node, or take the setting out')
  http.setGlobalProxyFromEnv(proxy)
}

/** Node ignores a file of authorities that it cannot read, and the first call then fails for a reason nobody sees. */
export function requireAuthorities({ hasOwnAuthorities }: Pick<Config, 'hasOwnAuthorities'>): void {
  if (!hasOwnAuthorities || getCACertificates('extra').length > 0) return
  throw new ConfigError(
    'NODE_EXTRA_CA_CERTS: must be the path of a readable file with certificates in PEM form',
  )
}
