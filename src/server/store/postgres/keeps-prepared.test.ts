import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProcess } from '#test/cli/run-command.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { startPooler } from '#test/store/pooler.ts'
import { keepsPrepared } from './keeps-prepared.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

it('PostgreSQL itself keeps what a session prepared', async () => {
  expect(await keepsPrepared(db.url)).toBe(true)
})

it.each([
  ['a connection for each session keeps it', false],
  ['shared connections, and no knowledge of prepared statements, loses it', true],
])('a pooler with %s', async (_name, sharing) => {
  const pooler = await startPooler(db.url, { sharing })
  try {
    expect(await keepsPrepared(pooler.url)).toBe(!sharing)
  } finally {
    await pooler.close()
  }
})

it.each([['src/server/main.ts'], ['src/cli/tributary.ts', 'worker']])(
  '%s ends with one line at such a pooler',
  async (...args) => {
    const pooler = await startPooler(db.databaseUrl, { sharing: true })
    try {
      const ended = await runProcess(args, {
        DATABASE_URL: pooler.url,
        SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
        STRIPE_API_URL: 'http://127.0.0.1:9',
        HUBSPOT_API_URL: 'http://127.0.0.1:9',
        HUBSPOT_APP_URL: 'http://127.0.0.1:9',
        LOG_LEVEL: 'silent',
      })
      expect(ended).toEqual({
        code: 2,
        out: '',
        error: expect.stringMatching(/^Tributary cannot start: setting DATABASE_URL: .*PgBouncer 1\.21.*\n$/),
      })
    } finally {
      await pooler.close()
    }
  },
)
