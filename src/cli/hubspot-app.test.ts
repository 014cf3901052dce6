import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { hubspotBy } from '#test/providers/hubspot-by.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hubspot-app-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PUBLIC_URL = 'https://revenue.example.com'

async function hubspotApp(environment: Record<string, string>, ...args: string[]) {
  const child = spawn('node', ['src/cli/tributary.ts', 'hubspot-app', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  })
  const text = { out: '', error: '' }
  child.stdout.on('data', (data) => (text.out += String(data)))
  child.stderr.on('data', (data) => (text.error += String(data)))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, ...text }
}

const written = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
const app = () => written('src/app/app-hsmeta.json')

/** The consent page's address of a server with the same settings. */
function authorizeUrl(environment: Record<string, string>): URL {
  const { hubspot } = readConfig({
    DATABASE_URL: 'postgres://owner@localhost/tributary',
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    HUBSPOT_CLIENT_ID: 'client',
    HUBSPOT_CLIENT_SECRET: 'secret',
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'Tributary <tributary@example.com>',
    ...environment,
  })
  const crm = hubspotBy(() => Promise.reject(new Error('no call is expected')), hubspot)
  return new URL(crm.authorizeUrl({ redirectUri: hubspot.redirectUrl, state: 's' }))
}

describe('tributary hubspot-app', () => {
  it.each([
    [{}, 12],
    [{ HUBSPOT_WITHOUT_SCOPES: 'crm.schemas.custom.write, crm.schemas.custom.read' }, 10],
  ])('asks in the file for what the consent page asks for, with %o', async (settings, count) => {
    const environment = { PUBLIC_URL, ...settings }
    expect(await hubspotApp(environment, folder)).toMatchObject({ code: 0, error: '' })
    const { auth, distribution } = app().config
    const { searchParams } = authorizeUrl(environment)
    expect(searchParams.get('scope')?.split(' ')).toEqual(auth.requiredScopes)
    expect(searchParams.get('optional_scope')?.split(' ')).toEqual(auth.optionalScopes)
    expect(auth.redirectUrls).toEqual([searchParams.get('redirect_uri')])
    expect([...auth.requiredScopes, ...auth.optionalScopes]).toHaveLength(count)
    expect({ distribution, type: auth.type }).toEqual({ distribution: 'private', type: 'oauth' })
    expect(written('hsproject.json')).toEqual({
      name: 'tributary',
      srcDir: 'src',
      platformVersion: '2026.03',
    })
  })

  it('keeps the limits of HubSpot, and says which commands come next', async () => {
    const { out } = await hubspotApp({ PUBLIC_URL }, folder, '--distribution=marketplace')
    const { uid, type, config } = app()
    expect(uid).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
    expect({ type, distribution: config.distribution }).toEqual({ type: 'app', distribution: 'marketplace' })
    expect(config.name.length).toBeLessThanOrEqual(200)
    expect(config.description.length).toBeLessThanOrEqual(8_192)
    for (const command of ['hs account auth', 'hs project upload', 'hs project open'])
      expect(out).toContain(command)
  })

  it('writes the files again without making another app of it', async () => {
    await hubspotApp({ PUBLIC_URL }, folder)
    const { uid } = app()
    const moved = { PUBLIC_URL: 'https://moved.example.com/' }
    expect((await hubspotApp(moved, folder)).code).toBe(0)
    expect(app()).toMatchObject({
      uid,
      config: { auth: { redirectUrls: ['https://moved.example.com/api/hubspot/callback'] } },
    })
    const other = await hubspotApp(moved, folder, '--distribution=marketplace')
    expect(other).toMatchObject({ code: 1, error: expect.stringContaining('Name another folder') })
  })

  it.each([
    ['an http address', 'http://revenue.example.com', 'begins with https://'],
    ['http on an IP', 'http://10.0.0.5:3000', 'begins with https://'],
    ['http on 127.0.0.1', 'http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http on [::1]', 'http://[::1]:3000', 'http://localhost:3000'],
    ['no address', '', 'PUBLIC_URL: must be'],
  ])('refuses %s before HubSpot does', async (_, url, text) => {
    const { code, error } = await hubspotApp({ PUBLIC_URL: url }, folder)
    expect({ code, lines: error.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
    expect(error).toContain(text)
    expect(app).toThrow()
  })

  it('warns of an IP with https, which HubSpot is only reported to refuse', async () => {
    const { code, out } = await hubspotApp({ PUBLIC_URL: 'https://203.0.113.7' }, folder)
    expect(code).toBe(0)
    expect(out).toContain('reported to refuse redirect addresses with an IP')
  })

  it('takes http on localhost', async () => {
    expect(await hubspotApp({ PUBLIC_URL: 'http://localhost:3000' }, folder)).toMatchObject({ code: 0 })
  })
})
