import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Log } from '../log.ts'
import { errorAnswer } from './answer-error.ts'
import type { Routes } from './serve.ts'

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

/** The build puts a hash of the content into these names, so the content behind a name never changes. */
const hashed = /^\/assets\//
const yearSeconds = 31_536_000

/** Compression makes these files smaller; pictures and fonts are already compressed. */
const packable = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/
const packFrom = 1_024
/** A higher quality would add seconds to each start. */
const brotliQuality = 6

type Bytes = Buffer<ArrayBuffer>
type WebFile = { type: string; plain: Bytes; packed: { encoding: 'br' | 'gzip'; content: Bytes }[] }

/**
 * Serves the built web app: its files, and its page for every other address, which the app routes itself. Files
 * are read and compressed once, so that all answers share the same bytes in memory.
 */
export function serveWebFiles(hono: Routes, log: Log, folder: string | undefined): void {
  const files = folder === undefined ? new Map<string, WebFile>() : readFiles(folder)
  if (folder !== undefined && !files.has('/index.html')) log.error({ folder }, 'the web app is not there')
  hono.get('*', (c) => {
    const accepted = c.req.header('accept-encoding')
    const file = files.get(c.req.path)
    if (file !== undefined) return answerFile(c.req.path, file, accepted)
    const page = files.get('/index.html')
    if (page === undefined || hashed.test(c.req.path)) return c.text('Page Not Found', 404)
    return answerFile('/index.html', page, accepted)
  })
  hono.all('*', () => {
    const allow = 'GET, HEAD'
    return errorAnswer('method_not_allowed', `Pages are read with ${allow}.`, { allow })
  })
}

/** Every file below the folder by its address, except the build's own notes. No file is opened later. */
function readFiles(folder: string): Map<string, WebFile> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const paths = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
    return new Map(paths.map((path) => [`/${relative(folder, path).split(sep).join('/')}`, readFile(path)]))
  } catch {
    return new Map()
  }
}

function readFile(path: string): WebFile {
  const plain = readFileSync(path)
  const type = types[extname(path)] ?? 'application/octet-stream'
  if (!packable.test(type) || plain.length < packFrom) return { type, plain, packed: [] }
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }
  return {
    type,
    plain,
    packed: [
      { encoding: 'br', content: brotliCompressSync(plain, quality) },
      { encoding: 'gzip', content: gzipSync(plain) },
    ],
  }
}

function answerFile(address: string, file: WebFile, accepted: string | undefined): Response {
  const packed = file.packed.find(({ encoding }) => accepts(accepted, encoding))
  return new Response(packed?.content ?? file.plain, {
    headers: {
      'content-type': file.type,
      'cache-control': hashed.test(address) ? `public, max-age=${yearSeconds}, immutable` : 'no-store',
      ...(file.packed.length > 0 && { vary: 'accept-encoding' }),
      ...(packed && { 'content-encoding': packed.encoding }),
    },
  })
}

/** Whether `accept-encoding` names the encoding with a weight above 0. */
function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  })
}
