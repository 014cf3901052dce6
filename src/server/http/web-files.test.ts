import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, type TestApp } from '#test/api/test-app.ts'
import { createApp } from '../app.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

describe('the web app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary web %20-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>the app</p>')
  writeFileSync(join(folder, 'assets/app-1a2b.js'), 'export {}')
  writeFileSync(join(folder, '.built-from'), 'tributary')
  afterAll(() => rmSync(folder, { recursive: true }))
  const get = (path: string, init?: RequestInit) =>
    createApp(test.deps, { webFolder: folder }).fetch(new Request(new URL(path, origin), init))

  it('is its page at every address, never kept', async () => {
    const answer = await get('/subscriptions/sub_1')
    expect(await answer.text()).toContain('the app')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('is packed for whoever can unpack it, by the same bytes each time', async () => {
    const source = `export const text = '${'packed '.repeat(500)}'`
    writeFileSync(join(folder, 'assets/large-3c4d.js'), source)
    const as = async (encoding: string) =>
      get('/assets/large-3c4d.js', { headers: { 'accept-encoding': encoding } })
    for (const [asked, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip;q=1, br;q=0', 'gzip', gunzipSync],
      ['identity', null, (content: Buffer) => content],
    ] as const) {
      const answer = await as(asked)
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(unpack(Buffer.from(await answer.arrayBuffer())).toString()).toBe(source)
    }
  })

  it('has hashed files that may be kept for ever', async () => {
    const answer = await get('/assets/app-1a2b.js')
    expect(answer.headers.get('content-type')).toContain('text/javascript')
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })

  it.each([
    '/assets/gone.js',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/.built-from',
  ])('gives no other file by %s', async (path) => {
    expect(await (await get(path)).text()).not.toContain('tributary')
  })

  it('is only read', async () => {
    expect((await get('/subscriptions', { method: 'POST' })).status).toBe(405)
  })
})
