import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProcess, tributary } from '#test/cli/run-command.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '../../tools/postgres.ts'

const secret = 'a-secret-of-the-test'
/** Longer than a name may be, so that it is unknown without asking anybody. */
const nowhere = `${'n'.repeat(64)}.invalid`
const folder = mkdtempSync(join(tmpdir(), 'tributary-settings-'))
const backupFile = join(folder, 'a.backup')
let db: TestDatabase
let demanding: Server
beforeAll(async () => {
  db = await newDatabase()
  demanding = await demandTls()
  await tributary(['backup', backupFile], { DATABASE_URL: db.databaseUrl })
})
afterAll(async () => {
  await db?.close()
  demanding?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A PostgreSQL that lets nobody in without TLS, in the bytes of its protocol (PostgreSQL 18, 54.7). */
async function demandTls(): Promise<Server> {
  const text = 'no pg_hba.conf entry for host "127.0.0.1", user "owner", database "x", no encryption'
  const fields = Buffer.from(`SFATAL\0VFATAL\0C28000\0M${text}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, fields])))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return server
}

const portOf = (server: Server) => Object(server.address())['port']
const at = (change: (url: URL) => void) => {
  const url = new URL(db.databaseUrl)
  change(url)
  return url.href
}

/** Each way in which the database of DATABASE_URL cannot be used, and a part of what is said about it. */
const databases: Record<string, [url: () => string | undefined, told: string]> = {
  'not set': [() => undefined, 'DATABASE_URL: must be set'],
  'no address': [
    () => `postgres://owner:${secret}#1@localhost/x`,
    'DATABASE_URL: must be an address such as',
  ],
  away: [
    () => `postgres://owner:${secret}@127.0.0.1:9/x`,
    'nothing answers at 127.0.0.1:9; start PostgreSQL',
  ],
  'of an unknown host': [
    () => `postgres://owner:${secret}@${nowhere}/x`,
    `the host ${nowhere} is unknown; correct it`,
  ],
  refused: [() => at((url) => Object.assign(url, { password: secret })), 'correct name and password'],
  absent: [
    () => at((url) => Object.assign(url, { pathname: '/no_such' })),
    'no_such does not exist; create it',
  ],
  'without TLS': [() => at((url) => url.searchParams.set('sslmode', 'require')), 'has no TLS; switch TLS on'],
  'that demands TLS': [
    () => `postgres://owner:${secret}@127.0.0.1:${portOf(demanding)}/x`,
    'demands TLS; add ?sslmode=verify-full',
  ],
}

const commands: Record<string, string[]> = {
  migrate: ['migrate'],
  backup: ['backup', join(folder, 'new.backup')],
  restore: ['restore', backupFile],
  outbound: ['outbound', 'on'],
  'rotate-keys': ['rotate-keys', '--check'],
  'revoke-all': ['revoke-all', '--yes'],
  'release-domain': ['release-domain', 'harbour.example'],
  erasures: ['erasures', 'export', join(folder, 'list')],
  worker: ['worker'],
}
const programs: Record<string, string[]> = {
  ...Object.fromEntries(
    Object.entries(commands).map(([name, args]) => [name, ['src/cli/tributary.ts', ...args]]),
  ),
  server: ['src/server/main.ts'],
  'npm start': ['tools/start.ts'],
}
/** These wait for a database that is only away, and say so. */
const patient = ['server', 'worker']

const settings = {
  SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  STRIPE_API_URL: 'http://127.0.0.1:9',
  HUBSPOT_API_URL: 'http://127.0.0.1:9',
  HUBSPOT_APP_URL: 'http://127.0.0.1:9',
  LOG_LEVEL: 'silent',
  TRIBUTARY_DATA: join(folder, 'data'),
}

const inTurn = pLimit(2)

/** Runs the program and demands one line without stack and secrets. One that waits is ended after its line. */
async function fails(args: string[], environment: Record<string, string>, to: 'end' | 'first error' = 'end') {
  const { code, error } = await inTurn(() => runProcess(args, { ...settings, ...environment }, to))
  expect(error).toMatch(/^[^\n]+\n$/)
  expect(error).not.toMatch(/\n\s+at |Error:|node:internal/)
  for (const hidden of [secret, new URL(db.databaseUrl).password, settings.SEAL_KEYS.slice(2)])
    expect(hidden.length > 6 && error.includes(hidden)).toBe(false)
  expect(code).not.toBe(0)
  return error
}

const isLong = process.env['SETTINGS'] === 'all'
/** In the short run, each of a list that differs in words alone is represented by the first ones. */
const some = <Case>(all: readonly Case[], count: number) => (isLong ? all : all.slice(0, count))

/**
 * Every program with every fault or, in the short run, every program once, a command with every fault, and the server
 * with one that it waits for.
 */
const cases = Object.keys(programs).flatMap((program) =>
  Object.keys(databases)
    .filter(
      (database) =>
        isLong ||
        database === 'refused' ||
        program === 'migrate' ||
        (program === 'server' && database === 'away'),
    )
    // Without DATABASE_URL, the embedded database serves.
    .filter((database) => program !== 'npm start' || database !== 'not set')
    .map((database) => [program, database] as const),
)

describe('in one line, with what to do', () => {
  it.concurrent.each(cases)(
    '%s names a database %s',
    async (program, database) => {
      const [url, told] = databases[database] ?? [() => undefined, '']
      const value = url()
      const waits = patient.includes(program) && database === 'away'
      const environment: Record<string, string> = value === undefined ? {} : { DATABASE_URL: value }
      if (program === 'server') environment['PORT'] = String(await freePort())
      const error = await fails(programs[program] ?? [], environment, waits ? 'first error' : 'end')
      expect(error).toContain('DATABASE_URL')
      expect(error).toContain(told)
      expect(error.includes('waits for its database')).toBe(waits)
    },
    120_000,
  )
})

const live = {
  HUBSPOT_CLIENT_ID: 'client',
  HUBSPOT_CLIENT_SECRET: secret,
  PUBLIC_URL: 'https://tributary.example.com',
  SMTP_URL: `smtps://kim:${secret}@mail.example.com`,
  MAIL_FROM: 'tributary@example.com',
}
const shared = 'https://login.microsoftonline.com/common/v2.0'
/**
 * Wrong settings but the database: the environment, and a part of what is said about it (src/server/config.test.ts has all
 * of them).
 */
const others: [name: string, environment: Record<string, string>, told: string][] = [
  ['a proxy without scheme', { HTTPS_PROXY: `kim:${secret}@proxy:3128` }, 'HTTPS_PROXY: must be an address'],
  ['no secret of the app', { ...live, HUBSPOT_CLIENT_SECRET: '' }, 'HUBSPOT_CLIENT_SECRET: must be set'],
  [
    'PUBLIC_URL with a path',
    { PUBLIC_URL: 'https://example.com/tributary' },
    'PUBLIC_URL: must end behind the host',
  ],
  ['no MAIL_FROM in live mode', { ...live, MAIL_FROM: '' }, 'MAIL_FROM: must be set to a sender'],
  [
    'a shared issuer',
    { OIDC_ISSUER: shared, OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: secret },
    'OIDC_ISSUER: must name one tenant of Entra ID: enter https://login.microsoftonline.com/TENANT-ID/v2.0',
  ],
]
const readers = isLong
  ? ['server', 'worker', 'rotate-keys', 'revoke-all', 'erasures', 'npm start']
  : ['server']

describe('a wrong setting', () => {
  it.concurrent.each(
    readers.flatMap((program) => some(others, 2).map(([name, ...rest]) => [program, name, ...rest] as const)),
  )(
    '%s names %s',
    async (program, _, environment, told) => {
      expect(
        await fails(programs[program] ?? [], { DATABASE_URL: db.databaseUrl, ...environment }),
      ).toContain(told)
    },
    120_000,
  )

  it('names the port that is taken', async () => {
    const taken = String(portOf(demanding))
    const environment = { DATABASE_URL: db.databaseUrl, PORT: taken }
    expect(await fails(['src/server/main.ts'], environment)).toContain(`PORT: ${taken} is taken on 127.0.0.1`)
    const metrics = { DATABASE_URL: db.databaseUrl, METRICS_PORT: taken }
    expect(await fails(['src/cli/tributary.ts', 'worker'], metrics)).toContain('METRICS_PORT: ')
  })
})

/** Where no folder can be made, even by root. Below /proc, Node's own recursion never ends. */
const impossibleFolders: [name: string, parent: () => string][] = [
  [
    'below a file',
    () => {
      const file = join(folder, 'a-file')
      writeFileSync(file, '')
      return file
    },
  ],
  ...(process.platform === 'linux'
    ? [['below /proc', () => '/proc/tributary'] satisfies [string, () => string]]
    : []),
]

describe('a file or folder of the command line that cannot be made', () => {
  const url = { PUBLIC_URL: 'https://tributary.example.com', PROBE_STRIPE_KEY: 'rk_test_hidden' }
  it.each(
    impossibleFolders.flatMap(([where, parent], place) =>
      [
        ['backup'],
        ['erasures', 'export'],
        ['hubspot-app'],
        ['probe'],
        ['simulators', '--stripe-port=0', '--hubspot-port=0', '--data'],
      ]
        // The folders differ in what Node does with them, and not by command.
        .filter((_, number) => isLong || place === 0 || number === 0)
        .map((command) => [command.join(' '), where, command, parent] as const),
    ),
  )('is named by %s %s', async (_, __, command, parent) => {
    const path = join(parent(), 'made')
    const words =
      command.at(-1) === '--data' ? [...command.slice(0, -1), `--data=${path}`] : [...command, path]
    const error = await fails(['src/cli/tributary.ts', ...words], { DATABASE_URL: db.databaseUrl, ...url })
    expect(error).toContain(parent())
    expect(error).toContain('name another file or folder')
  })
})

describe('npm start names', () => {
  const start = (data: string, environment = {}) =>
    fails(['tools/start.ts'], { TRIBUTARY_DATA: data, ...environment })

  it.each(some(impossibleFolders, 1))('a data folder that cannot be made: %s', async (_, parent) => {
    const data = join(parent(), 'data')
    expect(await start(data)).toContain(`the data folder ${data} cannot be written (${'E'}`)
  })

  it('what real providers need besides an app', async () => {
    const { HUBSPOT_CLIENT_ID: _, HUBSPOT_CLIENT_SECRET: __, ...keysOnly } = live
    const data = mkdtempSync(join(folder, 'data-'))
    const environment = { ...keysOnly, PROVIDERS: 'live', SEAL_KEYS: '' }
    expect(await start(data, environment)).toContain('setting SEAL_KEYS: must be set')
  })

  it.each(some(['', '{"pid": 12', '[]', 'null'], 2))('a damaged running.json: %j', async (text) => {
    const data = mkdtempSync(join(folder, 'data-'))
    writeFileSync(join(data, 'running.json'), text)
    expect(await start(data)).toContain(`${join(data, 'running.json')} is damaged. If no Tributary runs`)
  })

  it.each(some(['{"postgresPassword": "a', '{}', ''], 2))('a damaged secrets.json: %j', async (text) => {
    const data = mkdtempSync(join(folder, 'data-'))
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'secrets.json'), text)
    expect(await start(data)).toMatch(/secrets\.json (?:is damaged|lacks a key)\. .*from a backup/)
  })
})
