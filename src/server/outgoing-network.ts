import http from 'node:http'
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
