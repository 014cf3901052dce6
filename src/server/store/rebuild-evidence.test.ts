import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '../work/import/test-support.ts'
import { inOrganization } from './database.ts'
import { type DueCustomer, takeCustomersDue } from './rebuild-evidence.ts'

let stage: ImportStage
let invoicesOf: Map<string, number>
beforeAll(async () => {
  stage = await stageImport({ world: generatedWorld(20) })
  await stage.importAll()
  await query(stage.db.ownerUrl, 'update customers set is_rebuild_due = true')
  const counts = await query<{ id: string; count: number }>(
    stage.db.ownerUrl,
    `select c.id, count(i.id)::int as count from customers c left join invoices i on i.customer_id = c.id group by c.id`,
  )
  invoicesOf = new Map(counts.map(({ id, count }) => [id, count]))
})
afterAll(() => stage.close())

function take(after: DueCustomer | null, invoicesMax: number): Promise<DueCustomer[]> {
  return inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
    takeCustomersDue(tenant, { after, customersMax: 8, invoicesMax, waits: false }),
  )
}

it.each([1, 15, 40, 10_000])(
  'customers that are due are taken with up to %i invoices, or one by one, and none is left out',
  async (invoicesMax) => {
    const taken: string[] = []
    const sizes: number[] = []
    for (let after: DueCustomer | null = null; ; ) {
      const due = await take(after, invoicesMax)
      const last = due.at(-1)
      if (!last) break
      after = last
      taken.push(...due.map(({ id }) => id))
      const invoices = due.reduce((sum, { id }) => sum + (invoicesOf.get(id) ?? 0), 0)
      if (due.length > 1) sizes.push(invoices)
      expect(due.length).toBeLessThanOrEqual(8)
    }
    expect(taken.toSorted()).toEqual([...invoicesOf.keys()].toSorted())
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(invoicesMax)
    expect(sizes).not.toEqual([])
  },
)
