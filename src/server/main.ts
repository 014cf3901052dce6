/**
 * The process of the web server: settings, adapters, listening, stopping. Only this file and the CLI choose
 * adapters.
 */
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.ts'
import type { ServerDeps } from './deps.ts'
import { createBoundedServer } from './http/bounded-server.ts'
import { createTransactionTurns } from './http/turns.ts'
import { openProcess } from './process.ts'
import { createIdentity } from './providers/identity/create-identity.ts'
import { requireDatabase } from './require-database.ts'
import { requireKnownMigrations } from './require-known-migrations.ts'
import { requireSealKeys, untilSealKeysChecked } from './require-seal-keys.ts'
import { listenFault } from './settings/listen-fault.ts'
import { endWhenAsked } from './shutdown.ts'
import { repeatSmallWork } from './small-work.ts'

const stopWithinMs = 8_000

const {
  deps: work,
  metrics,
  traces,
  close,
} = await openProcess({
  name: 'server',
  environment: process.env,
  inTurn: createTransactionTurns(),
  isNewerToldLater: true,
})
await requireDatabase(work.config.databaseUrl)
const deps: ServerDeps = { ...work, identity: createIdentity(work) }
// The server also starts while the database is away, so that it can say so, and checks again when the database is
// back.
if (await requireSealKeys(deps)) await requireKnownMigrations(deps)
else {
  untilSealKeysChecked(deps)
    .then(() => requireKnownMigrations(deps))
    .catch((error: unknown) => deps.log.error({ error }, 'the database could not be looked at'))
}
const stopSmallWork = repeatSmallWork(deps)
let isStopping = false
const webFolder = join(import.meta.dirname, '../../dist/web')
const app = createApp(deps, { webFolder, metrics, inSpan: traces.inSpan, isStopping: () => isStopping })

const { port, host, publicUrl } = deps.config
const server = createBoundedServer(getRequestListener(app.fetch, { hostname: host }))
server.once('error', (error: NodeJS.ErrnoException) => {
  if (server.listening) throw error
  process.stderr.write(`Tributary cannot start: ${listenFault(error, { name: 'PORT', host, port })}\n`)
  process.exit(2)
})
for (const warning of deps.config.warnings) deps.log.warn(warning)
server.listen(port, host, () => {
  deps.log.info({ port, publicUrl }, 'listening')
  process.send?.({ ready: true })
})

endWhenAsked(stopWithinMs, async () => {
  isStopping = true
  stopSmallWork()
  const closed = new Promise((done) => server.close(done))
  server.closeIdleConnections()
  await closed
  await close()
})
