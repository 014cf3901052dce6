/** Serves the web app's files through a bounded server, in a separate process whose memory a test can measure. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createBoundedServer } from '#server/http/bounded-server.ts'
import type { HttpConnection } from '#server/http/serve.ts'
import { serveWebFiles } from '#server/http/web-files.ts'
import { createLog } from '#server/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'tributary-web-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html>')
writeFileSync(join(folder, 'assets/app-1a2b.bin'), Buffer.alloc(10_000_000, 'x'))
const hono = new Hono<{ Bindings: HttpConnection }>()
serveWebFiles(hono, createLog({ level: 'silent', name: 'test' }), folder)
rmSync(folder, { recursive: true })
const server = createBoundedServer(getRequestListener(hono.fetch))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
