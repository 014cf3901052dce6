import { afterEach, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { savePlan } from '../../store/runs/import-plans.ts'
import { saveWindows } from '../../store/runs/import-windows.ts'
import { connectPayments } from '../connections/connect-payments.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import { readWindows } from './read-windows.ts'
import { newWindow } from './windows.ts'

let stage: ImportStage
afterEach(() => stage.close())

/**
 * Imports an account with many pages of invoices and customers. Returns the largest number of windows read at
 * once. Invoices have four windows from the start.
 */
async function readBeside({ figuresStand }: { figuresStand: boolean }) {
  const world = generatedWorld(30)
  const most = { invoices: 0, customers: 0 }
  stage = await stageImport({
    world,
    pageSize: 2,
    around: (fetch) => async (request) => {
      const read = await query<{ kind: keyof typeof most; count: number }>(
        stage.db.ownerUrl,
        `select kind, count(*)::int as count from import_windows
          where holder is not null and not all_pages_read group by 1`,
      )
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
  const found = { isFull: true, areCustomersRead: true, eventsUntil: null, clockAt: null }
  await inOrganization(deps.database, organizationId, async (tenant) => {
    await savePlan(tenant, claim.runId, { ...found, mode: 'first', figuresStand })
    await saveWindows(tenant, claim.runId, [
      newWindow('customers', everything),
      ...[...recent, null].map((from, index) =>
        newWindow('invoices', { from, until: recent[index - 1] ?? null, oldestAt }),
      ),
    ])
  })
  const connection = await findPayments(deps, organizationId)
  if (!connection) throw new Error('nothing is connected')
  const { signal } = new AbortController()
  const reader = openPayments(deps, connection, signal)
  const askedAfter = new Date(0)
  const reading = { mode: 'first' as const, onProgress: () => {} }
  await readWindows({ deps, claim, connection, reader, signal, askedAfter }, reading)
  const [kept] = await query<object>(
    stage.db.ownerUrl,
    'select (select count(*)::int from customers) as customers, (select count(*)::int from invoices) as invoices',
  )
  expect(kept).toEqual({ customers: world.customers.length, invoices: world.invoices.length })
  return most
}

it('reads long lists in several windows beside each other', async () => {
  const most = await readBeside({ figuresStand: true })
  expect(most.customers).toBeGreaterThan(3)
  expect(most.invoices).toBeGreaterThan(3)
})

it('reads no more than two windows of the history until current figures stand, and the others as ever', async () => {
  const most = await readBeside({ figuresStand: false })
  expect(most.customers).toBeGreaterThan(3)
  expect(most.invoices).toBe(2)
})
