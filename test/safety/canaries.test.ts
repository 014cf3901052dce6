import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readFault } from '#simulators/hubspot/faults/rules.ts'
import { password } from '../api/test-app.ts'
import { run as query } from '../database.ts'
import { dumpOf, searchDump } from '../dump.ts'
import { countLooked, declareSecret, lookAt, takeLeaks } from '../leaks.ts'
import { makeKeyIn } from '../push/service-keys.ts'
import { ask } from './ask.ts'
import { contractCalls } from './calls.ts'
import { listTenantTables } from './rows.ts'
import { awayKey, openStage, type SafetyStage, words } from './stage.ts'

// Thousands of requests in one test; their duration depends on the machine.
vi.setConfig({ testTimeout: 600_000 })

let stage: SafetyStage
beforeAll(async () => {
  declareSecret('the key of Stripe', awayKey)
  for (const word of Object.values(words)) {
    declareSecret('the signing secret of webhooks', `whsec_of_${word}`)
    declareSecret('a name or an address of a customer', word, ['log'])
  }
  stage = await openStage()
})
afterAll(() => stage.close())

const textOf = (row: object) => Object.values(row).join('\n')

describe('the search', () => {
  it('finds each kind of secret, so that it can fail', () => {
    const hidden = [
      awayKey,
      `whsec_of_${words.home}`,
      `refresh-${'x'.repeat(120)}`,
      'pat-na1-01234567-89ab-4cde-8f01-23456789abcd',
      `s1.1.${'x'.repeat(60)}`,
      `${'a'.repeat(32)}:${'b'.repeat(128)}`,
      'postgres://owner:secret@db.example/x',
      password,
    ]
    for (const text of hidden) {
      lookAt('answer', 'planted', `before ${text} after`)
      expect([text, takeLeaks().length > 0]).toEqual([text, true])
    }
    lookAt('log', 'planted', `{"customer":"${words.home} 1"}`)
    expect(takeLeaks()).toEqual(['a name or an address of a customer in log: planted'])
  })

  it('sees the rows of every table of a tenant, and is refused to a role that does not', async () => {
    const { ownerUrl, databaseUrl } = stage.world
    const lines = (await dumpOf(ownerUrl)).split('\n')
    let filled = 0
    for (const { name } of await listTenantTables(ownerUrl)) {
      const [row] = await query<{ count: number }>(ownerUrl, `select count(*)::int as count from "${name}"`)
      const seen = lines.filter(
        (line) => line.startsWith(`public.${name} `) || line.startsWith(`public."${name}" `),
      )
      expect([name, seen.length]).toEqual([name, row?.count])
      if (seen.length > 0) filled += 1
    }
    expect(filled).toBeGreaterThan(20)
    const { organizationId } = stage.home.owner
    await query(
      ownerUrl,
      `insert into run_errors (organization_id, run_id, source_id, message)
       select organization_id, id, 'planted', $2 from runs where organization_id = $1 limit 1`,
      [organizationId, `It was refused with ${awayKey}.`],
    )
    await searchDump(ownerUrl)
    expect(takeLeaks()).toContain('the key of Stripe in database: public.run_errors')
    await query(ownerUrl, `delete from run_errors where source_id = 'planted'`)
    await expect(searchDump(databaseUrl)).rejects.toThrow('as its superuser')
  })
})

describe('a life of two organizations', () => {
  it('shows no secret in any answer or line, also while the providers fail', async () => {
    const { world, away, visitors } = stage
    const { stripe, hubspot } = world
    const reads = contractCalls.filter(({ method, access }) => method === 'GET' && access !== 'operator')
    // What asks no provider the first time is read once.
    const silent = new Set<string>()
    for (const status of [400, 403, 404, 429, 500]) {
      // A provider that repeats the secrets it received.
      const message = `The token refresh-${'x'.repeat(120)} or the key ${awayKey} is not good.`
      hubspot.faults.add(readFault({ kind: 'status', status, message, match: { times: 20 } }))
      for (const call of reads) {
        if (silent.has(call.name)) continue
        const before = hubspot.requests.list('/').length
        await ask(visitors.outsider, call, call.inputOf(away.ids))
        if (hubspot.requests.list('/').length === before) silent.add(call.name)
      }
    }
    hubspot.faults.clear()
    for (const path of ['/api/stripe/connect', '/api/import/historical', '/api/sync/push-all']) {
      const apiKey = 'sk_test_revoked_and_wrong'
      await ask(
        visitors.owner,
        { method: 'POST' },
        { path, query: {}, body: path.endsWith('connect') ? { apiKey } : {} },
      )
    }
    await world.drain()
    await useServiceKeys()
    expect(stripe.requests.entries.length).toBeGreaterThan(0)
    await away.owner.post('/api/identity/organization/set-active', { organizationId: away.ids.organization })
    await useLibrary()
    expect(takeLeaks()).toEqual([])
    const { answer = 0, log = 0 } = countLooked()
    process.stdout.write(`canaries: ${answer} answers and ${log} log lines searched\n`)
    expect(answer).toBeGreaterThan(200)
    expect(log).toBeGreaterThan(100)
  })

  it('leaves secrets in the database only sealed or hashed, and each organization its own words', async () => {
    const { ownerUrl } = stage.world
    expect(await searchDump(ownerUrl)).toBeGreaterThan(300)
    expect(takeLeaks()).toEqual([])
    const links = await query<{ link: string }>(
      ownerUrl,
      `select link from outbox where link like '%reset-password%'`,
    )
    const token = /reset-password\/([\w-]+)/.exec(links[0]?.link ?? '')?.[1] ?? ''
    expect(token.length).toBeGreaterThan(15)
    const kept = await query(ownerUrl, 'select 1 from verification where identifier like $1', [`%${token}%`])
    expect(kept).toEqual([])
    for (const [own, foreign] of [
      [stage.home, stage.away],
      [stage.away, stage.home],
    ] as const) {
      for (const { name, column } of await listTenantTables(ownerUrl)) {
        const text = `select 1 from "${name}" t where "${column}" = $1 and t::text like $2`
        const strays = await query(ownerUrl, text, [own.owner.organizationId, `%${foreign.word}%`])
        expect([name, strays]).toEqual([name, []])
      }
    }
  })

  it('tells in no mail a secret, or a word of another organization', async () => {
    const mails = await query<{ recipient: string }>(stage.world.ownerUrl, 'select * from outbox')
    expect(mails.length).toBeGreaterThan(4)
    for (const mail of mails) {
      lookAt('mail', mail.recipient, textOf(mail))
      const foreign = mail.recipient.includes(words.home) ? words.away : words.home
      if (mail.recipient.includes('canary')) expect(textOf(mail)).not.toContain(foreign)
    }
    expect(takeLeaks()).toEqual([])
  })
})

describe('the built web app', () => {
  it('holds no secret, no setting of the server and no map of its sources', { timeout: 180_000 }, () => {
    const { NODE_ENV: _, VITEST: __, ...env } = process.env
    const script = "import('./tools/build-web.ts').then((web) => web.buildWeb())"
    execFileSync(process.execPath, ['-e', script], { env, stdio: 'ignore' })
    const files = globSync('dist/web/**/*.{js,css,html}')
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
      lookAt('bundle', file, text)
      expect(text).not.toMatch(
        /SEAL_KEYS|DATABASE_URL|HUBSPOT_CLIENT|sourceMappingURL|tributary-demo-secret|scrypt/,
      )
    }
    expect(globSync('dist/web/**/*.map')).toEqual([])
    // The policy blocks inline scripts, so a page with one would not work.
    const page = readFileSync('dist/web/index.html', 'utf8')
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:/i)
    expect(takeLeaks()).toEqual([])
  })
})

/** Signs up, mistypes, asks for a new password: its secrets may appear only in mails. */
async function useLibrary(): Promise<void> {
  const { world, home } = stage
  const stranger = world.stranger()
  const email = 'new@harbour.example'
  const bodies: [string, object][] = [
    ['/sign-up/email', { name: 'New', email, password: 'a passphrase to look for' }],
    ['/sign-in/email', { email, password: 'a passphrase to look for, mistyped' }],
    ['/sign-in/email', { email: home.owner.email, password }],
    ['/request-password-reset', { email: home.owner.email, redirectTo: '/sign-in' }],
    ['/update-user', { name: 'Newer' }],
  ]
  declareSecret('a password', 'a passphrase to look for')
  for (const [path, body] of bodies) {
    await ask(stranger, { method: 'POST' }, { path: `/api/identity${path}`, query: {}, body })
  }
  await stranger.fetch('/api/auth/current-user')
}

/** Connects by keys, uses one for the objects only, and mistypes, while HubSpot repeats what it received. */
async function useServiceKeys(): Promise<void> {
  const { world, away, visitors } = stage
  const [kept, once] = [
    await makeKeyIn(world.hubspot, away.portal),
    await makeKeyIn(world.hubspot, away.portal),
  ]
  const post = (path: string, serviceKey: string) =>
    ask(visitors.outsider, { method: 'POST' }, { path, query: {}, body: { serviceKey } })
  for (const status of [400, 401, 403, 500]) {
    const message = `The key ${kept} or ${once} is not good.`
    world.hubspot.faults.add(readFault({ kind: 'status', status, message, match: { times: 3 } }))
    await post('/api/hubspot/connect', kept)
    await post('/api/hubspot/objects/by-key', once)
    world.hubspot.faults.clear()
  }
  expect((await post('/api/hubspot/connect', kept)).status).toBe(200)
  expect((await post('/api/hubspot/objects/by-key', once)).status).toBe(200)
  for (const path of ['/api/connection-status', '/api/hubspot/objects/check', '/api/hubspot/verify'])
    await ask(visitors.outsider, { method: 'GET' }, { path, query: {}, body: undefined })
  await away.owner.post('/api/sync/push-all')
  await world.drain()
}
