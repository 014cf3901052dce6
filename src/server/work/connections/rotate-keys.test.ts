import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { type Bench, newDatabase, openBench } from '#test/push/open-bench.ts'
import type { Deps } from '../../deps.ts'
import { createSeal } from '../../seal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { countSealedVersions } from '../../store/connections/sealed-secrets.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'
import { openTokens } from '../crm/sealed-tokens.ts'
import { withCrm } from '../crm/with-crm.ts'
import { setWebhookSecret } from './payment-webhook.ts'
import { paymentsSealPlace } from './payments-connection.ts'
import { rotateKeys } from './rotate-keys.ts'

const first = Buffer.alloc(32, 1)
const second = Buffer.alloc(32, 2)
const old = createSeal(new Map([[1, first]]))
const ring = createSeal(
  new Map([
    [1, first],
    [2, second],
  ]),
)
const onlyNew = createSeal(new Map([[2, second]]))
const apiKey = 'sk_test_rotated_in_place'
const webhookSecret = 'whsec_rotated_in_place'

let db: Awaited<ReturnType<typeof newDatabase>>
const benches: Bench[] = []
beforeAll(async () => {
  db = await newDatabase()
  for (const _ of [1, 2, 3]) benches.push(await openConnected())
})
afterAll(() => db.close())

/** An organization with every kind of sealed secret, under the old ring. */
async function openConnected(): Promise<Bench> {
  const bench = await openBench(db)
  bench.deps.seal = old
  await query(
    db.ownerUrl,
    `update connections set sealed_secret = $1 where organization_id = $2 and provider = 'payments'`,
    [old.seal(paymentsSealPlace(bench.organizationId), apiKey), bench.organizationId],
  )
  await bench.connect()
  await setWebhookSecret(bench.deps, bench.organizationId, webhookSecret)
  return bench
}

const sealed = async () =>
  (
    await query<{ sealed_secret: string }>(
      db.ownerUrl,
      `select sealed_secret from connections union all select sealed_secret from payment_webhooks order by 1`,
    )
  ).map(({ sealed_secret }) => sealed_secret)
const depsOf = ({ deps }: Bench, seal: Deps['seal'], database: Database = deps.database): Deps => ({
  ...deps,
  seal,
  database,
})
const one = (): Bench => benches[0] ?? expect.fail('no bench')

describe('the rotation of keys', () => {
  it('finds every column of the database in which something sealed is kept', async () => {
    const columns = await query<{ name: string }>(
      db.ownerUrl,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type in ('text', 'jsonb') order by 1`,
    )
    const holding: string[] = []
    for (const { name } of columns) {
      const [table, column] = name.split('.')
      const [found] = await query<{ count: number }>(
        db.ownerUrl,
        `select count(*)::int from "${table}" where "${column}"::text like '%s1.1.%'`,
      )
      if (found && found.count > 0) holding.push(name)
    }
    expect(holding).toEqual(['connections.sealed_secret', 'payment_webhooks.sealed_secret'])
  })

  it('seals everything anew with new data keys, once, so that the old key may be taken out', async () => {
    const before = await sealed()
    expect(before.length).toBe(9)
    const deps = depsOf(one(), ring)
    expect(await countSealedVersions(deps.database)).toEqual([{ version: 1, secrets: 9 }])
    expect(await rotateKeys(deps, { all: false })).toEqual({ resealed: 9, left: 0, unreadable: 0 })
    expect(await countSealedVersions(deps.database)).toEqual([{ version: 2, secrets: 9 }])
    const after = await sealed()
    expect(after.map(ring.versionOf)).toEqual(Array(9).fill(2))
    const parts = [...before, ...after].flatMap((text) => text.split('.').slice(2))
    expect(new Set(parts).size).toBe(2 * 2 * 9)
    expect(await rotateKeys(deps, { all: false })).toEqual({ resealed: 0, left: 9, unreadable: 0 })
    for (const { organizationId } of benches) {
      const payments = await inOrganization(deps.database, organizationId, (tenant) =>
        findConnection(tenant, 'payments'),
      )
      expect(onlyNew.open(paymentsSealPlace(organizationId), payments?.sealed_secret ?? '')).toBe(apiKey)
    }
  })

  it('gives new data keys under the same version where that is asked for', async () => {
    const before = await sealed()
    expect(await rotateKeys(depsOf(one(), ring), { all: true })).toMatchObject({ resealed: 9, left: 0 })
    expect((await sealed()).filter((text) => before.includes(text))).toEqual([])
  })

  it('leaves what it cannot open as it is, and says so', async () => {
    const [webhook] = await query<{ sealed_secret: string }>(
      db.ownerUrl,
      'select sealed_secret from payment_webhooks order by organization_id',
    )
    const set = (text: string) =>
      query(db.ownerUrl, 'update payment_webhooks set sealed_secret = $1 where organization_id = $2', [
        text,
        one().organizationId,
      ])
    const strange = createSeal(new Map([[1, Buffer.alloc(32, 9)]])).seal(
      { organizationId: one().organizationId, provider: 'payments', field: 'webhookSecret' },
      webhookSecret,
    )
    await set(strange)
    expect(await rotateKeys(depsOf(one(), ring), { all: false })).toEqual({
      resealed: 0,
      left: 8,
      unreadable: 1,
    })
    expect(await sealed()).toContain(strange)
    await set(webhook?.sealed_secret ?? '')
  })
})

describe('a rotation beside work that goes on', () => {
  it('never loses tokens that are renewed at the same moment, and no call fails', async () => {
    const workers = benches.map((bench) => depsOf(bench, ring))
    const refreshTokens = async () => {
      const found: string[] = []
      for (const [index, { organizationId }] of benches.entries()) {
        const deps = workers[index] ?? expect.fail('no worker')
        const crm = await inOrganization(deps.database, organizationId, (tenant) =>
          findConnection(tenant, 'crm'),
        )
        if (crm) found.push(`${index} ${openTokens(deps, organizationId, crm).accessToken}`)
      }
      return found
    }
    const seen = new Set(await refreshTokens())
    let isOver = false
    const rotating = (async () => {
      let rounds = 0
      for (; !isOver; rounds += 1) await rotateKeys(depsOf(one(), ring), { all: true })
      return rounds
    })()
    for (let renewal = 0; renewal < 20; renewal += 1) {
      await Promise.all(
        benches.map(async ({ clock, organizationId }, index) => {
          clock.now += 3_600_000
          await withCrm(workers[index] ?? expect.fail('no worker'), organizationId, ({ access }) =>
            access.token(),
          )
        }),
      )
      for (const token of await refreshTokens()) seen.add(token)
    }
    isOver = true
    expect(await rotating).toBeGreaterThan(1)
    // Every renewal was saved: a lost one would have restored an earlier token and ended the chain.
    expect(seen.size).toBe(benches.length * 21)
  })
})
