import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Metrics } from '../metrics.ts'
import { listenFault } from '../settings/listen-fault.ts'

/**
 * Serves `GET /metrics` on a separate port, which must not be public. Returns a function that closes it. Ends the
 * process with one line when it cannot listen there.
 */
export function serveMetrics(metrics: Metrics, address: { host: string; port: number }): () => void {
  const hono = new Hono()
  hono.get('/metrics', async (c) => {
    const { text, contentType } = await metrics.render()
    return c.body(text, 200, { 'content-type': contentType })
  })
  const server = serve({ fetch: hono.fetch, port: address.port, hostname: address.host })
  server.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(
      `Tributary cannot start: ${listenFault(error, { name: 'METRICS_PORT', ...address })}\n`,
    )
    process.exit(2)
  })
  return () => void server.close()
}
