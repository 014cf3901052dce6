import { expect, test } from 'vitest'
import { listIds, simulate } from '../testing/ask.ts'
import { smallWorld } from '../testing/small-world.ts'
import { takeAttemptedWrites } from './attempted-writes.ts'
import { RequestLedger } from './ledger.ts'

test('the last thousand requests are kept whole, all are counted', () => {
  const ledger = new RequestLedger()
  for (let count = 1; count <= 1500; count += 1)
    ledger.record(
      { method: count % 500 === 0 ? 'POST' : 'GET', path: `/v1/x?n=${count}`, status: 200 },
      '/v1/x',
    )
  expect(ledger.entries.length).toBe(1000)
  expect([ledger.entries[0]?.path, ledger.entries.at(-1)?.path]).toEqual(['/v1/x?n=501', '/v1/x?n=1500'])
  expect(ledger.counters).toEqual({
    total: 1500,
    byPath: { '/v1/x': 1500 },
    byStatus: { '200': 1500 },
    writes: 3,
  })
  expect(takeAttemptedWrites()).toHaveLength(3)
})

test('another world takes the place of the first, the ledger goes on', async () => {
  const simulator = simulate()
  expect((await listIds(simulator, '/v1/invoices')).length).toBe(3)
  const world = smallWorld()
  simulator.setWorld({ ...world, invoices: world.invoices.slice(0, 1) })
  expect(await listIds(simulator, '/v1/invoices')).toEqual(['in_one'])
  expect(simulator.requests.counters.total).toBe(2)
})
