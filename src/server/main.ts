/** The web server's process: settings, adapters, listening, stopping. The one place beside the CLI that chooses adapters. */
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { openProcess } from './process.ts'

const stopWithinMs = 8_000

const { deps, close } = openProcess({ name: 'server', environment: process.env })
const app = createApp(deps, { webFolder: join(import.meta.dirname, '../../dist/web') })

const server = serve(
  {
    fetch: app.fetch,
    port: deps.config.port,
    hostname: deps.config.host,
    // A sender that drips is cut off instead of holding a socket for minutes.
    serverOptions: { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  },
  (address) => {
    deps.log.info({ port: address.port, publicUrl: deps.config.publicUrl }, 'listening')
    process.send?.({ ready: true })
  },
)

let isStopping = false
function stop(): void {
  if (isStopping) return
  isStopping = true
  setTimeout(() => process.exit(1), stopWithinMs).unref()
  server.close(() => close().then(() => process.exit(0)))
  if ('closeIdleConnections' in server) server.closeIdleConnections()
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// Started by `npm start`, the server does not outlive it.
process.on('disconnect', stop)
