import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { createStripeSimulator } from '#simulators/stripe/simulator.ts'
import { runProcess } from '../cli/run-command.ts'
import { newDatabase, type TestDatabase } from '../database.ts'
import { type HostedProvider, openHostedProvider } from '../identity/hosted-provider.ts'
import { generatedWorld } from '../import/stage-import.ts'
import { authorityFile, type FarNetwork, openFarNetwork } from './far-network.ts'

const password = 'pass-of-the-proxy'
const publicUrl = 'https://tributary.far.test'
const folder = mkdtempSync(join(tmpdir(), 'tributary-outgoing-'))
const noted = join(folder, 'connections')

let db: TestDatabase
let network: FarNetwork
let provider: HostedProvider
let mailServer: SMTPServer
const mails: string[] = []
beforeAll(async () => {
  db = await newDatabase()
  network = await openFarNetwork(password)
  const stripe = createStripeSimulator({
    world: generatedWorld(2),
    keys: ['sk_test_far'],
    limits: null,
    wait: async () => {},
  })
  const answerStripe = getRequestListener((request) => stripe.fetch(request))
  const asked = new WeakMap<Socket, number>()
  await network.serve('stripe', (request, response) => {
    const count = (asked.get(request.socket) ?? 0) + 1
    asked.set(request.socket, count)
    // The second question of a connection finds it closed, so that it is asked again over a new one.
    if (count === 2) request.socket.destroy()
    else void answerStripe(request, response)
  })
  const hubspot = createHubspotSimulator({
    clock: () => 0,
    appUrl: 'https://hubspot.far.test',
    apiUrl: 'https://hubspot.far.test',
    wait: async () => {},
  })
  await network.serve(
    'hubspot',
    getRequestListener((request) => hubspot.fetch(request)),
  )
  provider = await openHostedProvider(`${publicUrl}/api/identity/callback/oidc`, 'https://id.far.test')
  provider.person.token = { email: 'kim@harbour.example' }
  provider.person.info = { email: 'kim@harbour.example', email_verified: true }
  await network.serve('id', (request: IncomingMessage, response) => {
    request.headers['x-forwarded-proto'] = 'https'
    provider.handle(request, response)
  })
  await network.serve('traces', (request, response) => {
    request.resume().once('end', () => response.end('{}'))
  })
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      let text = ''
      stream.on('data', (piece) => (text += String(piece)))
      stream.on('end', () => {
        mails.push(text)
        done()
      })
    },
  })
  await new Promise<void>((done) => mailServer.listen(0, '127.0.0.1', () => done()))
  network.place('mail.far.test:587', (mailServer.server.address() as AddressInfo).port)
})
afterAll(async () => {
  await network?.close()
  await provider?.close()
  await new Promise<void>((done) => (mailServer ? mailServer.close(() => done()) : done()))
  await db?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

function settings(): Record<string, string> {
  return {
    DATABASE_URL: db.databaseUrl,
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    PUBLIC_URL: publicUrl,
    STRIPE_API_URL: 'https://stripe.far.test',
    HUBSPOT_API_URL: 'https://hubspot.far.test',
    HUBSPOT_APP_URL: 'https://hubspot.far.test',
    OIDC_ISSUER: 'https://id.far.test',
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    SMTP_URL: 'smtp://mail.far.test:587',
    MAIL_FROM: 'Tributary <tributary@harbour.example>',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.far.test',
    HTTPS_PROXY: network.proxyUrl,
    HTTP_PROXY: network.proxyUrl,
    NODE_EXTRA_CA_CERTS: authorityFile,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'note-connections.ts')}`,
    NOTED_CONNECTIONS: noted,
  }
}

const ports = (withinMs: number) => ['test/outgoing/call-every-port.ts', String(withinMs)]
const hosts = () => [...new Set(network.tunnels)].sort()

it('every call to a provider goes through the proxy, and nothing past it', async () => {
  const { code, out, error } = await runProcess(ports(25_000), settings())
  expect({ code, error }).toEqual({ code: 0, error: '' })
  const told = JSON.parse(out.trim().split('\n').at(-1) ?? '{}')
  expect(told).toMatchObject({ stripe: 'done', mail: 'done', signIn: '/dashboard' })
  // The simulated HubSpot does not know the token, and says so.
  expect(told.hubspot).toMatch(/^failed: (?!no answer)/)
  expect(mails.join()).toContain('From: Tributary <tributary@harbour.example>')
  expect(hosts()).toEqual([
    'hubspot.far.test:443',
    'id.far.test:443',
    'mail.far.test:587',
    'stripe.far.test:443',
    'traces.far.test:443',
  ])
  const allowed = [`127.0.0.1 ${network.proxyPort}`, `127.0.0.1 ${new URL(db.databaseUrl).port}`]
  const opened = readFileSync(noted, 'utf8').trim().split('\n')
  expect(opened.filter((line) => !allowed.includes(line))).toEqual([])
  expect(opened.filter((line) => line === allowed[0]).length).toBeGreaterThanOrEqual(4)
})

it('a proxy that refuses its password is told of, but the password is not', async () => {
  network.tunnels.length = 0
  const wrong = network.proxyUrl.replace(password, 'wrong-secret')
  const { out, error } = await runProcess(ports(3_000), {
    ...settings(),
    HTTPS_PROXY: wrong,
    LOG_LEVEL: 'debug',
  })
  expect(network.tunnels).toEqual([])
  expect(network.refused).toBeGreaterThanOrEqual(3)
  expect(`${out}${error}`).not.toContain('wrong-secret')
  expect(`${out}${error}`).not.toContain(Buffer.from('harbour:wrong-secret').toString('base64'))
})

it('what NO_PROXY names is called directly', async () => {
  network.tunnels.length = 0
  rmSync(noted, { force: true })
  const { out } = await runProcess(ports(3_000), { ...settings(), NO_PROXY: '.far.test' })
  const told = JSON.parse(out.trim().split('\n').at(-1) ?? '{}')
  // Without the proxy nobody knows these names.
  expect(told.stripe).toContain('failed')
  expect(network.tunnels).toEqual([])
  expect(readFileSync(noted, 'utf8')).toContain('stripe.far.test')
})

it.each(['/none/such.pem', join(import.meta.dirname, 'far.key')])(
  'a file without authorities is refused in one line: %s',
  async (file) => {
    const { code, error } = await runProcess(ports(3_000), {
      ...settings(),
      NODE_EXTRA_CA_CERTS: file,
      NODE_OPTIONS: '',
    })
    expect(code).toBe(2)
    // Node itself may have warned of the file before.
    const own = error
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('Warning: Ignoring extra certs'))
    expect(own).toEqual([
      'Tributary cannot start: setting NODE_EXTRA_CA_CERTS: must be the path of a readable file with certificates in PEM form',
    ])
  },
)
