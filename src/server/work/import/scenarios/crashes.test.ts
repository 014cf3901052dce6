import { describe, expect, it } from 'vitest'
import { goldenWorld } from '#test/import/golden-world.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { countSteps, type StepFate, type Steps, stepFates } from '#test/import/steps.ts'
import { workStruck } from '#test/import/work-struck.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

/** Number of generated customers beside the hand-made ones; GOLDEN_CUSTOMERS raises it for a longer test. */
const customers = Number(process.env['GOLDEN_CUSTOMERS'] ?? 3)
/**
 * `npm run prove -- crashes` strikes each step with every fate; otherwise every fourth step gets one, in turn.
 */
const every = process.env['CRASHES'] === 'all' ? 1 : 4 * stepFates.length
const testTimeoutMs = 600_000

type Subject = { stage: ImportStage; steps: Steps }

async function subject(): Promise<Subject> {
  const steps = countSteps()
  const { around, aroundDatabase } = steps
  const stage = await stageImport({ world: goldenWorld(customers), pageSize: 25, around, aroundDatabase })
  return { stage, steps }
}

/** A whole import without a fault: returns its result and its steps. */
async function importUnharmed({ stage, steps }: Subject) {
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const begun = await stage.start()
  expect((await stage.work(begun, steps.begin())).status).toBe('completed')
  return { names: steps.names, dump: await stage.dump() }
}

/** An import of another organization that is struck at one step, and continues if it did not survive. */
async function importStruckAt({ stage, steps }: Subject, step: number, fate: StepFate) {
  steps.begin()
  const other = await stage.another(`${fate} ${step}`)
  await connectPayments(stage.deps, other.organizationId, demoKey)
  const begun = await other.start()
  const hit = await workStruck(other, begun, steps, { step, fate })
  return { dump: await other.dump(), hit }
}

describe.concurrent('an import that is struck at one step ends as one that was not', () => {
  it.each(stepFates)(
    '%s, requests and transactions',
    async (fate) => {
      const one = await subject()
      try {
        const { names, dump: expected } = await importUnharmed(one)
        expect(names.filter((name) => name === 'transaction').length).toBeGreaterThan(20)
        expect(names.filter((name) => name.startsWith('GET')).length).toBeGreaterThan(11)
        expect(names).toContain('GET /v1/subscription_items')
        expect(names).toContain('GET /v1/invoices/in_many/lines')
        for (let step = 1 + ((4 * stepFates.indexOf(fate)) % every); step <= names.length; step += every) {
          const { dump, hit } = await importStruckAt(one, step, fate)
          expect(dump, hit).toEqual(expected)
        }
      } finally {
        await one.stage.close()
      }
    },
    testTimeoutMs,
  )
})
