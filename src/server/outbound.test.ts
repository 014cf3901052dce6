import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '#test/api/test-app.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { stageWorkers } from '#test/worker-stage.ts'
import { createLog } from './log.ts'
import { createOutbound } from './outbound.ts'
import { openProcess } from './process.ts'
import { createSmtp } from './providers/smtp/create-smtp.ts'
import { allowOutbound, holdOutbound } from './store/installation/outbound-hold.ts'
import { startImport } from './work/import/start-import.ts'
import { createMail } from './work/mail/carry-mail.ts'

let db: TestDatabase
const lines: string[] = []
const clock = { now: 0 }
beforeAll(async () => {
  db = await newDatabase()
})
afterEach(() => allowOutbound(db.database))
afterAll(() => db.close())

const outbound = () =>
  createOutbound(
    db.database,
    createLog({ level: 'warn', name: 'test' }, { write: (line) => lines.push(line) }),
    () => clock.now,
  )

describe('while calls are held', () => {
  it('nothing goes out, and the log says so once a minute', async () => {
    const asked: string[] = []
    const ask = outbound().guard(async (url: string) => void asked.push(url))
    await ask('before')
    await holdOutbound(db.database)
    clock.now += 1_500
    await expect(ask('meanwhile')).rejects.toThrow('tributary outbound on')
    await expect(ask('again')).rejects.toThrow('tributary outbound on')
    expect(asked).toEqual(['before'])
    expect(lines.filter((line) => line.includes('tributary outbound on'))).toHaveLength(1)
    await allowOutbound(db.database)
    clock.now += 1_500
    await ask('after')
    expect(asked).toEqual(['before', 'after'])
  })

  it('mail stays in the outbox', async () => {
    const server = createSmtp({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'us@here.example', proxy: null })
    const log = createLog({ level: 'silent', name: 'test' })
    const mail = createMail({ server, database: db.database, log, isHeld: outbound().isHeld })
    await holdOutbound(db.database)
    clock.now += 1_500
    await mail.send({ to: 'pat@held.example', subject: 'Hello', body: 'Hello', link: null })
    await mail.deliver()
    expect(await query(db.ownerUrl, 'select recipient, attempts from outbox')).toEqual([
      { recipient: 'pat@held.example', attempts: 0 },
    ])
  })

  it('the server is ready and says that they are', async () => {
    const test = await openTestApp()
    await holdOutbound(test.deps.database)
    const answer = await test.app.fetch(new Request('http://localhost:3000/readyz'))
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('off, by a restore')])
    await test.close()
  })

  it('a worker takes no run, and begins by itself when they are switched on', async () => {
    const workers = await stageWorkers()
    const { stage, provider } = workers
    try {
      await holdOutbound(stage.deps.database)
      await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
      const worker = await workers.startProcess()
      await expect.poll(worker.output).toContain('off, by a restore')
      const read = async () => (await query(stage.db.ownerUrl, 'select attempt, status from runs'))[0]
      expect(await read()).toEqual({ attempt: 0, status: 'in_progress' })
      provider.release()
      await allowOutbound(stage.deps.database)
      await expect.poll(read).toMatchObject({ status: 'completed' })
    } finally {
      await workers.close()
    }
  })
})

it('both providers of a process stand behind it', async () => {
  const test = await openTestApp()
  const asked = new Set<string>()
  const provider = createServer((request, response) => {
    asked.add(request.method ?? '')
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const { deps, close } = await openProcess({
    name: 'test',
    environment: {
      DATABASE_URL: test.db.databaseUrl,
      SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      STRIPE_API_URL: url,
      HUBSPOT_API_URL: url,
      HUBSPOT_APP_URL: url,
      LOG_LEVEL: 'silent',
    },
  })
  const ask = () =>
    Promise.allSettled([
      deps.payments.open('sk_test_tributary_demo', { organizationId: 1, isPersonWaiting: true }).ping(),
      deps.crm.refreshTokens('a-token'),
    ])
  await holdOutbound(deps.database)
  await ask()
  expect([...asked]).toEqual([])
  await allowOutbound(deps.database)
  // Stripe is only read; renewing HubSpot's tokens is a POST.
  await expect
    .poll(async () => {
      await ask()
      return [...asked].sort()
    })
    .toEqual(['GET', 'POST'])
  await close()
  provider.close()
  await test.close()
})
