import { afterAll, beforeAll, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import type { ChangedObject } from '../../providers/payments.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import type { PlanningContext } from '../runs/run-context.ts'
import { planChanged } from './changed-objects.ts'

const since = Date.parse('2026-11-01T00:00:00Z') / 1000
const madeAt = since - 10_000_000

let stage: ImportStage
let context: PlanningContext
beforeAll(async () => {
  stage = await stageImport({ world: smallWorld() })
  await stage.importAll()
  const { deps, organizationId } = stage
  const { claim } = await stage.start()
  const connection = await findPayments(deps, organizationId)
  if (!connection) throw new Error('nothing is connected')
  const reader = openPayments(deps, connection)
  context = { deps, claim, connection, reader, signal: new AbortController().signal }
})
afterAll(() => stage.close())

/** Stores `kept` customers, of which `changed` have changed. */
async function planOf(kept: number, changed: number, more: readonly ChangedObject[] = []) {
  const { db, organizationId } = stage
  await query(db.ownerUrl, "truncate customers cascade; delete from list_totals where list = 'customers'")
  await query(
    db.ownerUrl,
    `insert into customers (organization_id, id, created_at)
       select $1, 'cus_' || number, to_timestamp($2 + number) from generate_series(0, $3 - 1) as number`,
    [organizationId, madeAt, kept],
  )
  const objects = Array.from({ length: changed }, (_, number) => ({
    ...{ kind: 'customers' as const, id: `cus_${number}`, isGone: false },
    createdAt: madeAt + number,
  }))
  const { windows, objects: singly } = await planChanged(
    context,
    { objects: [...objects, ...more], marks: [], newestAt: since },
    since,
  )
  return {
    lists: windows.map(({ kind, from }) => ({ kind, from })),
    singly: singly.map(({ id }) => id).sort(),
  }
}

it('reads changed objects one by one where they are few of many', async () => {
  expect(await planOf(30_000, 550)).toEqual({ lists: [], singly: expect.objectContaining({ length: 550 }) })
  expect(await planOf(600, 500)).toEqual({ lists: [], singly: expect.objectContaining({ length: 500 }) })
})

it('reads a list back to the oldest of them where so many have changed that it takes fewer requests', async () => {
  const gone = { kind: 'customers' as const, id: 'cus_gone', createdAt: madeAt + 5, isGone: true }
  const tied = { kind: 'customers' as const, id: 'cus_tied', createdAt: null, isGone: false }
  expect(await planOf(20_000, 550, [gone, tied])).toEqual({
    lists: [{ kind: 'customers', from: madeAt }],
    singly: ['cus_gone', 'cus_tied'],
  })
})
