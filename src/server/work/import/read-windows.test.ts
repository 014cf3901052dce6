import { afterEach, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { inOrganization } from '../../store/database.ts'
import { saveSlices } from '../../store/run-slices.ts'
import { connectPayments } from '../connect-payments.ts'
import { findPayments, openPayments } from '../payments-connection.ts'
import { windowSlice } from './import-slice.ts'
import { type BesideReading, readWindows } from './read-windows.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from './test-support.ts'

let stage: ImportStage
afterEach(() => stage.close())

/** The most windows of invoices and of customers that were read beside each other, of an account of many pages of both. */
async function mostRead(given: Partial<BesideReading>) {
  const world = generatedWorld(60)
  const most = { invoices: 0, customers: 0 }
  stage = await stageImport({
    world,
    pageSize: 2,
    around: (fetch) => async (request) => {
      const read = await query<{ kind: keyof typeof most; count: number }>(
        stage.db.ownerUrl,
        `select state ->> 'kind' as kind, count(*)::int as count from run_slices
          where holder is not null and state ->> 'isListed' = 'false' group by 1`,
      )
      for (const { kind, count } of read) most[kind] = Math.max(most[kind], count)
      return fetch(request)
    },
  })
  const { deps, organizationId } = stage
  await connectPayments(deps, organizationId, demoKey)
  const { claim } = await stage.start()
  const oldestAt = Date.parse(world.as_of) / 1000 - 600 * 24 * 3600
  const everything = { from: null, until: null, oldestAt }
  await inOrganization(deps.database, organizationId, (tenant) =>
    saveSlices(tenant, claim.runId, [
      windowSlice('customers', everything, 1),
      windowSlice('invoices', everything, 2),
    ]),
  )
  const connection = await findPayments(deps, organizationId)
  if (!connection) throw new Error('nothing is connected')
  const { signal } = new AbortController()
  const reader = openPayments(deps, connection, signal)
  const events = { onSaved: () => {}, onLook: () => undefined, isHistoryHeldBack: () => false, ...given }
  await readWindows({ deps, claim, connection, reader, signal }, events)
  const [kept] = await query<object>(
    stage.db.ownerUrl,
    'select (select count(*)::int from customers) as customers, (select count(*)::int from invoices) as invoices',
  )
  expect(kept).toEqual({ customers: world.customers.length, invoices: world.invoices.length })
  return most
}

it('reads long lists in several windows beside each other', async () => {
  const most = await mostRead({})
  expect(most.customers).toBeGreaterThan(3)
  expect(most.invoices).toBeGreaterThan(3)
})

it('reads no more than two windows of the history while it is held back, and the others as ever', async () => {
  const most = await mostRead({ isHistoryHeldBack: () => true })
  expect(most.customers).toBeGreaterThan(3)
  expect(most.invoices).toBe(2)
})

it('reads on while so much else is done beside the lists that it could take all their places', async () => {
  const isRead = Promise.withResolvers<void>()
  let works = 0
  const most = await mostRead({
    onLook: (open) => {
      if (open.size === 0) isRead.resolve()
      if (works === 16) return undefined
      works += 1
      return async (_context, lookAgain) => {
        lookAgain()
        await isRead.promise
      }
    },
  })
  expect(works).toBe(16)
  expect(most.customers).toBeGreaterThan(3)
})
