import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Metrics } from '../metrics.ts'

/**
 * Answers `GET /metrics` on a port of its own, which is for the inside alone: the product's own port never shows it.
 * Returns what closes it.
 */
export function serveMetrics(metrics: Metrics, address: { host: string; port: number }): () => void {
  const hono = new Hono()
  hono.get('/metrics', async (c) => {
    const { text, contentType } = await metrics.render()
    return c.body(text, 200, { 'content-type': contentType })
  })
  const server = serve({ fetch: hono.fetch, port: address.port, hostname: address.host })
  return () => void server.close()
}
