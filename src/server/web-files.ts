import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { errorAnswer } from './http/answer-error.ts'
import type { Routes } from './http/serve.ts'
import type { Log } from './log.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** The build names these by their content, so that a name never changes what it means. */
const hashed = /^\/assets\//
const yearSeconds = 31_536_000

/** Serves the built web app: its files by name, and its page for every other address, which the app routes itself. */
export function serveWebFiles(hono: Routes, log: Log, folder: string | undefined): void {
  const files = folder === undefined ? new Map<string, string>() : listFiles(folder)
  if (folder !== undefined && !files.has('/index.html')) log.error({ folder }, 'the web app is not there')
  hono.get('*', async (c) => {
    const file = files.get(c.req.path)
    if (file !== undefined) return answerFile(c.req.path, file)
    const page = files.get('/index.html')
    if (page === undefined || hashed.test(c.req.path)) return c.text('Page Not Found', 404)
    return answerFile('/index.html', page)
  })
  hono.all('*', () => {
    const allow = 'GET, HEAD'
    return errorAnswer('method_not_allowed', `Pages are read with ${allow}.`, { allow })
  })
}

/** Every file below the folder by its address, but the build's own notes. Only these are ever opened. */
function listFiles(folder: string): Map<string, string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const paths = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
    return new Map(paths.map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]))
  } catch {
    return new Map()
  }
}

async function answerFile(address: string, file: string): Promise<Response> {
  return new Response(await readFile(file), {
    headers: {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': hashed.test(address) ? `public, max-age=${yearSeconds}, immutable` : 'no-store',
    },
  })
}
