import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { customers, type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import type { Tenant } from '../postgres/database.ts'
import { listMatches } from './match-list.ts'
import { packLists } from './pack-lists.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
})
afterAll(() => large.db.close())

const within = <T>(work: (tenant: Tenant) => Promise<T>) => large.within(work)
const plain = (text: string) => large.plain(text)
const pack = (tenant: Tenant) => packLists(tenant, 'add_up')

it('customers are found by what they are called now, before and after their texts are packed anew', async () => {
  const found = async (search: string) => {
    const listed = await within((tenant) =>
      listMatches(tenant, { page: 1, limit: 10, search, state: 'linked' }),
    )
    return listed.matches.map(({ customerId }) => customerId)
  }
  const texts = async () => {
    const [row] = await query<{ lines: number; last: number }>(
      large.db.ownerUrl,
      'select sum(cardinality(ids))::integer as lines, max(number)::integer as last from customer_texts',
    )
    return row ?? { lines: 0, last: 0 }
  }
  await query(large.db.ownerUrl, `update customers set name = 'Älpler Zaun' where id = 'cus_7'`)
  expect(await found('ÄLPLER')).toEqual(['cus_7'])
  await query(large.db.ownerUrl, `update customers set name = 'Former ' || id`)
  await query(large.db.ownerUrl, `update customers set name = 'Later\x1e ' || id where id <> 'cus_10'`)
  expect(await found('former')).toEqual(['cus_10'])
  expect(await found('ÄLPLER')).toEqual([])
  expect(await found('later\x1e cus_1001')).toEqual(['cus_1001'])
  expect((await texts()).lines).toBeGreaterThan(2 * customers)
  await within(pack)
  const packed = await texts()
  expect(packed.lines).toBe(customers)
  await within(pack)
  expect(await texts()).toEqual(packed)
  // Each single change adds a row.
  await query(
    large.db.ownerUrl,
    `do $$ begin for n in 1..400 loop update customers set name = 'Single ' || id where id = 'cus_' || n; end loop; end $$`,
  )
  await within(pack)
  expect((await texts()).lines).toBe(customers)
  expect(await found('single cus_7')).toContain('cus_7')
  expect(await found('former')).toEqual([])
  expect(await found('later\x1e cus_1001')).toEqual(['cus_1001'])
})

describe('whatever is searched', () => {
  const searches = {
    found: [
      ...['ltd', '10% LTD', 'IL7@C', 'gRoUp 1', 'cus_12', 'älp', 'ä', 'S', '@c', ' 1', 'istanb', 'Istanb'],
      ...['\u212aelvin', 'kelvin', 'of ISTANBUL, kel', 'former', 'Ltd\nmail'],
    ],
    nowhere: ['x\ny', 'constantinople', 'zzz'],
  }
  const rows = async () =>
    (
      await query<{ rows: number }>(large.db.ownerUrl, 'select count(*)::integer as rows from customer_texts')
    )[0]?.rows
  const expectFound = async (search: string, isAny: boolean) => {
    const matched = await within((tenant) =>
      listMatches(tenant, { page: 1, limit: 2_000, search, state: 'linked' }),
    )
    const looked = await plain(
      `select c.id from customers c join matches m on m.customer_id = c.id and m.portal_id = '1' and m.state = 'linked'
        where strpos(c.search_text, folded($text$${search}$text$)) > 0 or c.id ^@ $text$${search}$text$`,
    )
    expect(looked.length > 0, search).toBe(isAny)
    expect(matched.totalCount, search).toBe(Math.min(looked.length, 1_000))
    if (looked.length <= 1_000)
      expect(matched.matches.map(({ customerId }) => customerId).sort(), search).toEqual(looked.sort())
  }
  const expectAllFound = async () => {
    for (const search of searches.found) await expectFound(search, true)
    for (const search of searches.nowhere) await expectFound(search, false)
  }

  it('is found in rows of single customers, in packed ones, and in both', async () => {
    await query(
      large.db.ownerUrl,
      `update customers set name = case when id in ('cus_1', 'cus_2', 'cus_5') then 'Älpler ' || id || ' of Istanbul, \u212aelvin'
                                        when id = 'cus_7' then 'Former ' || id
                                        else coalesce(substr(md5(id), 1, 5), '') || ' 10% Ltd' end;
       delete from customer_texts;
       do $$ begin for n in 1..${customers} loop
         update customers set name = name || '.' where id = 'cus_' || n; end loop; end $$;
       update customers set name = rtrim(name, '.');`,
    )
    expect(await rows()).toBeGreaterThan(customers)
    await expectAllFound()
    await within(pack)
    expect(await rows()).toBe(customers / 25 + 1)
    await expectAllFound()
    await query(large.db.ownerUrl, `update customers set name = 'Former ' || id where id = 'cus_10'`)
    expect(await rows()).toBe(customers / 25 + 2)
    await expectAllFound()
  })
})
