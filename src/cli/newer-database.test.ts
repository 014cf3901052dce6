import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tributary } from '#test/cli/run-command.ts'
import { newDatabase, run, type TestDatabase } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'

const folder = mkdtempSync(join(tmpdir(), 'tributary-newer-'))
const file = (name: string) => join(folder, name)
const list = file('list.json')
writeFileSync(list, '{"format": "tributary-erasures-1", "deletions": [], "organizations": []}')
let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
  await run(db.ownerUrl, `insert into migrations (name) values ('9999_future.sql')`)
})
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true, force: true })
})

const refusal =
  /^Tributary cannot [^\n]+: the database has migrations this version does not know: 9999_future\.sql\. Start the version that it belongs to\.\n$/
const refuses = { code: 2, error: refusal }

type Expected = { code: number; out?: RegExp; error?: RegExp }

/** What each command does with the database of a newer version: a call that would else do its work, and its end. */
const calls: Record<string, readonly (readonly [args: string[], expected: Expected])[]> = {
  worker: [[[], refuses]],
  backup: [[[file('a.backup')], refuses]],
  restore: [[[file('a.backup')], refuses]],
  partition: [
    [[], refuses],
    [['--undo'], refuses],
  ],
  'rotate-keys': [
    [[], refuses],
    [['--check'], refuses],
  ],
  'revoke-all': [[['--yes'], refuses]],
  'second-factor-off': [[['kim@harbour.example'], refuses]],
  'make-owner': [[['kim@harbour.example'], refuses]],
  'release-domain': [[['harbour.example'], refuses]],
  erasures: [
    [['export', file('exported.json')], refuses],
    [['apply', list], refuses],
  ],
  migrate: [[[], { code: 1, error: /^Tributary cannot migrate: .* does not know: 9999_future\.sql\n$/ }]],
  // It says what to do instead.
  doctor: [
    [[], { code: 1, out: /a newer version of Tributary owns it \(9999_future\.sql\): start that version/ }],
  ],
  // The brake must hold whichever version is at hand; only letting go of it is for the right one.
  outbound: [
    [['on'], refuses],
    [['off'], { code: 0, out: /mail server are off since/ }],
    [[], { code: 0, out: /mail server are off since/ }],
  ],
  // These need no database, and come to other faults of their calls.
  replay: [[[file('absent.jsonl')], { code: 2, error: /absent\.jsonl/ }]],
  simulators: [[['--customers=none'], { code: 2, error: /customers/ }]],
  'hubspot-app': [[[file('app')], { code: 2, error: /PUBLIC_URL/ }]],
  probe: [[[file('report.md')], { code: 2, error: /PROBE_/ }]],
}

const settings = () => ({
  DATABASE_URL: db.databaseUrl,
  SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  STRIPE_API_URL: 'http://127.0.0.1:9',
  HUBSPOT_API_URL: 'http://127.0.0.1:9',
  HUBSPOT_APP_URL: 'http://127.0.0.1:9',
  LOG_LEVEL: 'silent',
})

describe('with the database of a newer version', () => {
  it('says of every command of the command line what it does', () => {
    const source = readFileSync('src/cli/tributary.ts', 'utf8')
    const commands = [...source.matchAll(/^ {2}async '?([\w-]+)'?\(/gm)].map(([, name]) => name ?? '')
    expect(commands.length).toBeGreaterThan(10)
    expect(Object.keys(calls).sort()).toEqual(commands.sort())
  })

  it.each(Object.entries(calls))('%s does no work by old rules', async (command, ways) => {
    for (const [args, { code, out = /^/, error = /^$/ }] of ways) {
      const before = await dumpOf(db.ownerUrl)
      const ended = await tributary([command, ...args], settings())
      expect({ args, ...ended }).toEqual({
        ...{ args, code },
        out: expect.stringMatching(out),
        error: expect.stringMatching(error),
      })
      expect(readdirSync(folder)).toEqual(['list.json'])
      if (args[0] !== 'off') expect(await dumpOf(db.ownerUrl)).toBe(before)
    }
  })

  it('outbound refuses too where the newer version changed its table', async () => {
    await run(db.ownerUrl, 'alter table outbound_hold add column reason text')
    for (const args of [['off'], []])
      expect(await tributary(['outbound', ...args], settings())).toMatchObject({
        code: 2,
        error: expect.stringMatching(refusal),
      })
  })
})
