import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLackOfKeys } from '#server/require-seal-keys.ts'
import { createSeal } from '#server/seal.ts'
import { paymentsSealPlace } from '#server/work/connections/payments-connection.ts'
import { crmSealPlace } from '#server/work/crm/sealed-tokens.ts'
import { erasureSealPlace } from '#server/work/erasure/hashes.ts'
import { runProcess } from '#test/cli/run-command.ts'
import { newDatabase, run, type TestDatabase } from '#test/database.ts'
import { twoHoursAhead } from '#test/wrong-clock.ts'

const keys = { 1: Buffer.alloc(32, 1), 2: Buffer.alloc(32, 2), 3: Buffer.alloc(32, 3) }
const ring = (...versions: (keyof typeof keys)[]) =>
  versions.map((version) => `${version}:${keys[version].toString('base64')}`).join(',')

let db: TestDatabase
let organizationId: number
beforeAll(async () => {
  db = await newDatabase()
  const [row] = await run<{ id: number }>(
    db.ownerUrl,
    `insert into organization (name, slug, "createdAt") values ('One', 'one', now()) returning id`,
  )
  const id = row?.id ?? 0
  organizationId = id
  const sealed = createSeal(new Map([[1, keys[1]]])).seal(paymentsSealPlace(id), 'sk_test_one')
  await run(
    db.ownerUrl,
    `insert into connections (organization_id, provider, sealed_secret) values ($1, 'payments', $2)`,
    [id, sealed],
  )
  await run(
    db.ownerUrl,
    `insert into "user" (name, email, "emailVerified") values ('Pat', 'pat@one.example', true)`,
  )
  await run(
    db.ownerUrl,
    `insert into session ("userId", token, "expiresAt", "updatedAt")
       select id, 'token', now() + interval '1 hour', now() from "user"`,
  )
})
afterAll(() => db.close())

/** Runs a process of the product to its end. */
const start = (args: string[], sealKeys: string, more: Record<string, string> = {}) =>
  runProcess(args, {
    DATABASE_URL: db.databaseUrl,
    SEAL_KEYS: sealKeys,
    STRIPE_API_URL: 'http://127.0.0.1:9',
    HUBSPOT_API_URL: 'http://127.0.0.1:9',
    HUBSPOT_APP_URL: 'http://127.0.0.1:9',
    PORT: '45871',
    ...more,
  })
const tributary = (args: string[], sealKeys: string, more?: Record<string, string>) =>
  start(['src/cli/tributary.ts', ...args], sealKeys, more)

describe('a process whose key ring lacks a version that the database names', () => {
  it.each([['src/server/main.ts'], ['src/cli/tributary.ts', 'worker']])(
    'does not start: %s %s',
    async (...args) => {
      const { code, error } = await start(args.filter(Boolean), ring(2))
      expect(code).toBe(2)
      expect(error).toBe(
        'Tributary cannot start: setting SEAL_KEYS lacks the key of version 1 (1 stored). Put it back, and take ' +
          'it out only when `tributary rotate-keys --check` no longer names it.\n',
      )
    },
  )
})

describe('a process whose key ring has another key of that version', () => {
  it('does not start, because people would enter keys that are not lost', async () => {
    const { code, error } = await start(['src/server/main.ts'], `1:${keys[3].toString('base64')}`)
    expect(code).toBe(2)
    expect(error).toBe(
      'Tributary cannot start: setting SEAL_KEYS has another key of version 1 than the one that encrypted what is ' +
        'stored. Put that one back.\n',
    )
  })

  it('starts where a secret of one version opens, although the only one of another is damaged', async () => {
    const damaged = createSeal(new Map([[2, keys[3]]])).seal(crmSealPlace(organizationId), 'tokens')
    const insert = `insert into connections (organization_id, provider, sealed_secret) values ($1, 'crm', $2)`
    await run(db.ownerUrl, insert, [organizationId, damaged])
    const seal = createSeal(new Map([1, 2].map((version) => [version, keys[version as 1 | 2]])))
    expect(await findLackOfKeys({ database: db.database, seal })).toBeNull()
    await run(db.ownerUrl, `delete from connections where provider = 'crm'`)
  })
})

describe('tributary rotate-keys', () => {
  it('tells by --check which versions are in use, and changes nothing', async () => {
    expect(await tributary(['rotate-keys', '--check'], ring(1, 2))).toMatchObject({
      code: 1,
      out: 'Version 1: 1 stored, must stay in SEAL_KEYS\n',
    })
    expect(await tributary(['rotate-keys', '--check'], ring(2))).toMatchObject({
      code: 1,
      out: 'Version 1: 1 stored, MISSING in SEAL_KEYS\n',
    })
  })

  it('leaves everything under an older version while SEAL_WITH says so', async () => {
    expect(await tributary(['rotate-keys'], ring(1, 2), { SEAL_WITH: '1' })).toMatchObject({
      code: 0,
      out: 'Sealed again 0, left as they were 1, not readable 0\nVersion 1: 1 stored, in use\nOnly version 1 is needed.\n',
    })
  })

  it('seals anew, prints the counts, and frees the old key', async () => {
    expect(await tributary(['rotate-keys'], ring(1, 2))).toMatchObject({
      code: 0,
      out: 'Sealed again 1, left as they were 0, not readable 0\nVersion 2: 1 stored, in use\nOnly version 2 is needed.\n',
    })
    expect((await tributary(['rotate-keys'], ring(1, 2))).out).toContain(
      'Sealed again 0, left as they were 1',
    )
    expect((await tributary(['rotate-keys', '--check'], ring(2))).code).toBe(0)
  })
})

describe('tributary revoke-all', () => {
  const sessions = () => run(db.ownerUrl, 'select token from session')

  it('does nothing unless it is told --yes', async () => {
    const { code, error } = await tributary(['revoke-all'], ring(2))
    expect([code, error]).toEqual([2, expect.stringContaining('Say --yes')])
    expect(await sessions()).toHaveLength(1)
  })

  it('ends everything and says so, by the time of the database', async () => {
    await run(
      db.ownerUrl,
      `insert into runs (organization_id, id, kind) select id, 'a', 'import' from organization`,
    )
    const { code, out } = await tributary(['revoke-all', '--yes'], ring(2), {
      ...twoHoursAhead,
      LOG_LEVEL: 'error',
    })
    expect(out).toBe(
      'Ended 1 sessions, 0 invitations, 0 links, 1 runs.\nDestroyed 1 Stripe keys and 0 HubSpot tokens.\n' +
        'Stripe keys cannot be ended from here: have their owners roll them in Stripe.\n',
    )
    expect(code).toBe(0)
    expect(await sessions()).toEqual([])
    const [stopped] = await run<{ off: number }>(
      db.ownerUrl,
      'select abs(extract(epoch from now() - completed_at))::int as off from runs',
    )
    expect(stopped?.off).toBeLessThan(60)
  })

  it('says which tokens HubSpot did not confirm, and that a second run cannot revoke them', async () => {
    const tokens = JSON.stringify({ accessToken: 'a', refreshToken: 'b' })
    await run(
      db.ownerUrl,
      `insert into connections (organization_id, provider, account_id, sealed_secret) values ($1, 'crm', '1', $2)`,
      [organizationId, createSeal(new Map([[2, keys[2]]])).seal(crmSealPlace(organizationId), tokens)],
    )
    const first = await tributary(['revoke-all', '--yes', '--at-hubspot'], ring(2), { LOG_LEVEL: 'silent' })
    expect([first.code, first.out]).toEqual([1, expect.stringContaining('HubSpot did not confirm 1;')])
    await run(db.ownerUrl, `delete from connections where provider = 'crm'`)
  })

  const eraseSomebody = () =>
    run(db.ownerUrl, 'insert into erasure_keys (organization_id, sealed_secret) values ($1, $2)', [
      organizationId,
      createSeal(new Map([[2, keys[2]]])).seal(erasureSealPlace(organizationId), 'what recognizes them'),
    ])

  it('leaves only what recognizes erased people, which a rotation takes to the new key', async () => {
    await eraseSomebody()
    expect((await tributary(['rotate-keys'], ring(2, 3))).out).toContain('Only version 3 is needed.')
    const { code, out } = await tributary(['revoke-all', '--yes'], ring(3))
    expect([code, out]).toEqual([0, expect.not.stringContaining('erased')])
    await run(db.ownerUrl, 'delete from erasure_keys')
  })

  it('lets an installation start whose key is lost for good, once it may forget the erased', async () => {
    await eraseSomebody()
    const { out } = await tributary(['revoke-all', '--yes'], ring(3))
    expect(out).toContain('SEAL_KEYS does not open what recognizes erased people in 1 organizations.')
    expect((await tributary(['rotate-keys', '--check'], ring(3))).code).toBe(1)
    const lost = await tributary(['revoke-all', '--yes', '--key-lost'], ring(3))
    expect(lost.out).toContain('Forgot in 1 organizations how to recognize erased people')
    expect((await tributary(['rotate-keys', '--check'], ring(3))).code).toBe(0)
  })
})
