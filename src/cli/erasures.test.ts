import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseCustomer } from '#server/work/erasure/erase-customer.ts'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { tributary } from '#test/cli/run-command.ts'
import { newEmptyDatabase } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'

const word = 'wilhelmina'
const gone = 'gary@gone.example'
const folder = mkdtempSync(join(tmpdir(), 'tributary-erasures-'))
const [file, backup] = [join(folder, 'erasures.json'), join(folder, 'before.backup')]
let world: TestWorld
let restored: Awaited<ReturnType<typeof newEmptyDatabase>>

const command = (args: string[], databaseUrl = world.databaseUrl) =>
  tributary(args, {
    DATABASE_URL: databaseUrl,
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    STRIPE_API_URL: 'http://127.0.0.1:9',
    HUBSPOT_API_URL: 'http://127.0.0.1:9',
    HUBSPOT_APP_URL: 'http://127.0.0.1:9',
  })
const textOf = async (url: string) => (await dumpOf(url)).toLowerCase()

beforeAll(async () => {
  const { customers, ...rest } = generatedWorld(8)
  const [first] = customers
  const named = { name: 'Wilhelmina Quartz', email: 'wilhelmina@quartzite.example' }
  world = await newWorld({
    account: readWorld({
      ...rest,
      customers: customers.map((one) => (one === first ? { ...one, ...named } : one)),
    }),
  })
  const owner = await world.person({ organization: 'Orchard' })
  const leaver = await world.person({ email: gone, organization: null })
  await owner.connectStripe()
  await owner.post('/api/import/historical')
  await world.drain()
  expect(await command(['backup', backup])).toMatchObject({ code: 0 })
  await eraseCustomer(world.deps, owner.organizationId, {
    customerId: first?.id ?? '',
    reason: 'asked',
    actor: null,
  })
  await leaver.post('/api/identity/account/delete', { email: gone, password: 'correct horse battery' })
  restored = await newEmptyDatabase()
})
afterAll(async () => {
  await restored?.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the list of erasures', () => {
  it('is written for the eyes of its owner alone, and names nobody', async () => {
    // A list of an earlier day, with the rights that somebody gave it.
    writeFileSync(file, '')
    chmodSync(file, 0o644)
    expect(await command(['erasures', 'export', file])).toEqual({
      code: 0,
      out: 'Wrote 1 erasures and 1 deletions.\n',
      error: '',
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8').toLowerCase()
    for (const each of [word, 'quartz', 'gone.example']) expect(text).not.toContain(each)
  })

  it('takes whoever is in a restored backup out of it again, while calls are off, and may be applied twice', async () => {
    const { databaseUrl, ownerUrl } = restored
    expect(await command(['restore', backup], databaseUrl)).toMatchObject({ code: 0 })
    const before = await textOf(ownerUrl)
    expect([before.includes(word), before.includes(gone)]).toEqual([true, true])
    const apply = () => command(['erasures', 'apply', file], databaseUrl)
    expect(await apply()).toEqual({
      code: 0,
      out: 'Deleted again 1, erased again 1, remembered 0.\n',
      error: '',
    })
    const after = await textOf(ownerUrl)
    expect([after.includes(word), after.includes(gone)]).toEqual([false, false])
    expect((await apply()).out).toBe('Deleted again 0, erased again 0, remembered 0.\n')
  })

  it('is refused where it is none, and the command where it is not whole', async () => {
    const other = join(folder, 'other.json')
    writeFileSync(other, '{"format":"tributary-erasures-1","deletions":[]}')
    for (const name of [other, join(folder, 'nothing.json')]) {
      expect(await command(['erasures', 'apply', name])).toEqual({
        code: 2,
        out: '',
        error: `${name} is no list of erasures. Take one that erasures export has written.\n`,
      })
    }
    for (const args of [
      ['erasures', 'export'],
      ['erasures', 'forget', file],
    ])
      expect(await command(args)).toMatchObject({ code: 2, error: expect.stringMatching(/^Say what to do/) })
  })
})
