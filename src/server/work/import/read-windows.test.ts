import { afterEach, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { saveSlices } from '../../store/runs/run-slices.ts'
import { connectPayments } from '../connections/connect-payments.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import { windowSlice } from './import-slice.ts'
import { type BesideReading, readWindows } from './read-windows.ts'

let stage: ImportStage
afterEach(() => stage.close())

/**
 * Imports an account with many pages of invoices and customers. Returns the largest number of windows read at
 * once, and when each first page was requested. Invoices have four windows from the start.
 */
async function readBeside(given: Partial<BesideReading>) {
  const world = generatedWorld(60)
  const most = { invoices: 0, customers: 0 }
  let first: Record<string, number> | undefined
  stage = await stageImport({
    world,
    pageSize: 2,
    around: (fetch) => async (request) => {
      const read = await query<{ kind: keyof typeof most; count: number }>(
        stage.db.ownerUrl,
        `select state ->> 'kind' as kind, count(*)::int as count from run_slices
          where holder is not null and state ->> 'isListed' = 'false' group by 1`,
      )
      if (read.length > 0) first ??= Object.fromEntries(read.map(({ kind, count }) => [kind, count]))
      for (const { kind, count } of read) most[kind] = Math.max(most[kind], count)
      return fetch(request)
    },
  })
  const { deps, organizationId } = stage
  await connectPayments(deps, organizationId, demoKey)
  const { claim } = await stage.start()
  const oldestAt = Date.parse(world.as_of) / 1000 - 600 * 24 * 3600
  const recent = [1, 2, 3].map((days) => Date.parse(world.as_of) / 1000 - days * 24 * 3600)
  const everything = { from: null, until: null, oldestAt }
  await inOrganization(deps.database, organizationId, (tenant) =>
    saveSlices(tenant, claim.runId, [
      windowSlice('customers', everything, 1),
      ...[...recent, null].map((from, index) =>
        windowSlice('invoices', { from, until: recent[index - 1] ?? null, oldestAt }, 2),
      ),
    ]),
  )
  const connection = await findPayments(deps, organizationId)
  if (!connection) throw new Error('nothing is connected')
  const { signal } = new AbortController()
  const reader = openPayments(deps, connection, signal)
  const events = { onSaved: () => {}, onLook: () => undefined, isHistoryHeldBack: () => false, ...given }
  const askedAfter = new Date(0)
  await readWindows({ deps, claim, connection, reader, signal, askedAfter }, events)
  const [kept] = await query<object>(
    stage.db.ownerUrl,
    'select (select count(*)::int from customers) as customers, (select count(*)::int from invoices) as invoices',
  )
  expect(kept).toEqual({ customers: world.customers.length, invoices: world.invoices.length })
  return { most, first }
}

it('reads long lists in several windows beside each other', async () => {
  const { most } = await readBeside({})
  expect(most.customers).toBeGreaterThan(3)
  expect(most.invoices).toBeGreaterThan(3)
})

it('reads no more than two windows of the history while it is held back, and the others as ever', async () => {
  const { most } = await readBeside({ isHistoryHeldBack: () => true })
  expect(most.customers).toBeGreaterThan(3)
  expect(most.invoices).toBe(2)
})

it('counts what is open before it takes up any of the history', async () => {
  const { first } = await readBeside({ isHistoryHeldBack: (isCurrentLong) => isCurrentLong !== false })
  expect(first).toEqual({ customers: 1, invoices: 2 })
})

it('reads on while so much else is done beside the lists that it could take all their places', async () => {
  const isRead = Promise.withResolvers<void>()
  let [works, unlisted] = [0, 0]
  const { most } = await readBeside({
    onLook: (open) => {
      if (open.size === 0) isRead.resolve()
      if (works === 16) return undefined
      works += 1
      if (works === 16) unlisted = [...open.values()].reduce((sum, one) => sum + one.unlisted, 0)
      return async (_context, lookAgain) => {
        lookAgain()
        await isRead.promise
      }
    },
  })
  expect(unlisted).toBeGreaterThan(0)
  expect(most.customers).toBeGreaterThan(3)
})
