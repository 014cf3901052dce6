import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ecbHistory } from '#simulators/ecb/history-file.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import type { Deps } from '../../deps.ts'
import { createEcbRates } from '../../providers/ecb/create-ecb-rates.ts'
import { readReferenceRates } from './read-reference-rates.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const address = 'https://ecb.test/eurofxref-hist.zip'
let asked = 0
let answer: () => Response | Promise<Response>
const logged: string[] = []

function depsAt(iso: string, place = address): Deps {
  const fetch = async () => {
    asked += 1
    return answer()
  }
  return {
    database: db.database,
    now: () => new Date(iso),
    log: {
      warn: (_: unknown, text: string) => void logged.push(text),
      error: (_: unknown, text: string) => void logged.push(text),
    },
    rates: createEcbRates({ place, fetch }),
  } as unknown as Deps
}

/** One file as the bank packs it: its sizes stand in the directory at the end alone. */
function zip(text: string): Uint8Array<ArrayBuffer> {
  const name = Buffer.from('eurofxref-hist.csv')
  const packed = deflateRawSync(Buffer.from(text))
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  return new Uint8Array(Buffer.concat([local, name, packed, entry, name, end]))
}

const history = (iso: string) => ecbHistory(Date.parse(iso) / 1000)
const kept = async () =>
  (await query<{ n: number }>(db.ownerUrl, 'select count(*)::int as n from reference_rates'))[0]?.n

describe('the shared rates', () => {
  it('are read once after each publication, from the packed file, and kept', async () => {
    answer = () => new Response(zip(history('2026-11-26T16:00:00Z')))
    await readReferenceRates(depsAt('2026-11-26T16:00:00Z'))
    await readReferenceRates(depsAt('2026-11-26T20:00:00Z'))
    await readReferenceRates(depsAt('2026-11-27T14:00:00Z'))
    expect([asked, logged]).toEqual([1, []])
    const before = await kept()
    expect(before).toBeGreaterThan(700)
    answer = () => new Response(history('2026-11-27T16:00:00Z'))
    await readReferenceRates(depsAt('2026-11-27T16:00:00Z'))
    expect([asked, await kept()]).toEqual([2, Number(before) + 1])
  })

  it.each([
    ['nobody answers', () => Promise.reject(new Error('getaddrinfo ENOTFOUND'))],
    ['the answer is an error', () => new Response('', { status: 503 })],
    ['it is a page in place of the file', () => new Response('<html></html>')],
    ['the file is damaged', () => new Response(zip(history('2026-11-26T16:00:00Z')).subarray(0, 900))],
  ])('stay as they are if %s, and are asked for again an hour later', async (_, fails) => {
    await query(db.ownerUrl, `update rate_readings set tried_at = '2026-11-27', read_at = '2026-11-27'`)
    const before = [asked, await kept(), logged.length] as const
    answer = fails
    await readReferenceRates(depsAt('2026-11-28T16:00:00Z'))
    await readReferenceRates(depsAt('2026-11-28T16:30:00Z'))
    expect([asked, await kept(), logged.length]).toEqual([before[0] + 1, before[1], before[2] + 1])
    answer = () => new Response(history('2026-11-27T16:00:00Z'))
    await readReferenceRates(depsAt('2026-11-28T17:01:00Z'))
    expect([asked, await kept()]).toEqual([before[0] + 2, before[1]])
  })

  it('are all files of a folder, each hour, and one that cannot be used keeps back no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rates-'))
    try {
      await writeFile(join(folder, 'a.csv'), 'Date,USD\n2026-11-27,no rate\n')
      await writeFile(join(folder, 'a1.zip'), zip('Date,USD,\n2031-03-02,1.2,\n').subarray(0, 60))
      await mkdir(join(folder, 'a2.csv'))
      await writeFile(join(folder, 'b.zip'), zip('Date,USD,NOK,\n2031-03-03,1.25,11.5,\n'))
      await writeFile(join(folder, 'notes.txt'), 'not rates')
      const before = [asked, Number(await kept()), logged.length] as const
      await readReferenceRates(depsAt('2031-03-03T09:00:00Z', folder))
      expect([asked, await kept()]).toEqual([before[0], before[1] + 1])
      expect(logged.slice(before[2])).toEqual(Array(3).fill('a file of exchange rates could not be read'))
      await writeFile(join(folder, 'c.csv'), 'Date, USD\n4 March 2031, 1.26\n')
      await readReferenceRates(depsAt('2031-03-04T09:00:00Z', folder))
      expect(await kept()).toBe(before[1] + 2)
      await readReferenceRates(depsAt('2031-03-04T11:00:00Z', join(folder, 'none')))
      expect(logged.at(-1)).toBe('exchange rates could not be read')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are those of the newest file where files of a folder disagree, and stay so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rates-'))
    const ofDay = () =>
      query(
        db.ownerUrl,
        `select revision, rates from reference_rates where day = '2031-04-07' order by revision`,
      )
    try {
      await writeFile(join(folder, 'a.csv'), 'Date,USD\n2031-04-07,1.26\n')
      await writeFile(join(folder, 'b.csv'), 'Date,USD,NOK\n2031-04-07,1.24,11.5\n')
      await symlink(join(folder, 'none'), join(folder, 'c.csv'))
      await utimes(join(folder, 'b.csv'), new Date('2031-04-07'), new Date('2031-04-07'))
      await utimes(join(folder, 'a.csv'), new Date('2031-04-08'), new Date('2031-04-08'))
      for (const hour of ['09', '11', '13'])
        await readReferenceRates(depsAt(`2031-04-08T${hour}:00:00Z`, folder))
      expect(await ofDay()).toEqual([{ revision: 1, rates: { usd: '1.26', nok: '11.5' } }])
      await writeFile(join(folder, 'b.csv'), 'Date,USD\n2031-04-07,1.25\n')
      await utimes(join(folder, 'b.csv'), new Date('2031-04-09'), new Date('2031-04-09'))
      for (const hour of ['09', '11']) await readReferenceRates(depsAt(`2031-04-09T${hour}:00:00Z`, folder))
      expect(await ofDay()).toMatchObject([{ revision: 1 }, { revision: 2, rates: { usd: '1.25' } }])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('let other currencies follow, whatever happens to one organization', async () => {
    await query(
      db.ownerUrl,
      `insert into organization (name, slug, "createdAt")
       values ('One', 'one', now()), ('Two', 'two', now()), ('Three', 'three', now());
       insert into organization_settings (organization_id, reporting_currency) values (1, 'usd'), (2, 'usd'), (3, 'usd');
       insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
       values (1, 'subscriptions', 'active', 'eur', 1, 0, 0), (2, 'subscriptions', 'active', 'eur', 1, 0, 0),
              (3, 'subscriptions', 'active', 'usd', 1, 0, 0);
       alter table conversions add constraint fails_for_one check (organization_id <> 1);
       update rate_readings set tried_at = '2026-11-28', read_at = '2026-11-28'`,
    )
    const before = logged.length
    answer = () => new Response(history('2026-11-30T16:00:00Z'))
    await readReferenceRates(depsAt('2026-11-30T16:00:00Z'))
    expect(await query(db.ownerUrl, 'select organization_id as id from conversions')).toEqual([{ id: 2 }])
    expect(logged.slice(before)).toEqual(['conversion could not be requested'])
  })

  it('let other currencies follow if something fails after they were kept, then or an hour later', async () => {
    const asks = async () =>
      (await query<{ n: number }>(db.ownerUrl, 'select requested::int as n from conversions'))[0]?.n
    await query(
      db.ownerUrl,
      `update rate_readings set tried_at = '2032-05-01', read_at = '2032-05-01';
       alter table rate_readings add constraint cannot_be_noted check (read_at < '2032-05-04')`,
    )
    const before = Number(await asks())
    answer = () => new Response('Date,USD\n2032-05-04,1.31\n')
    await readReferenceRates(depsAt('2032-05-04T16:00:00Z')).catch(() => undefined)
    expect(await asks()).toBe(before + 1)
    await query(db.ownerUrl, 'alter table rate_readings drop constraint cannot_be_noted')
    await readReferenceRates(depsAt('2032-05-04T17:01:00Z'))
    expect(await asks()).toBe(before + 2)
    await readReferenceRates(depsAt('2032-05-05T16:00:00Z'))
    expect(await asks()).toBe(before + 2)
  })
})
