import { describe, expect, it } from 'vitest'
import { daySeconds, dayZero, lastHour, movingAccount } from '#test/import/moving-account.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { countSteps, stepFates } from '#test/import/steps.ts'
import { workStruck } from '#test/import/work-struck.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

/** GOLDEN=all strikes every step, otherwise every seventeenth; each fate begins at another step. */
const every = process.env['GOLDEN'] === 'all' ? 1 : 17
const testTimeoutMs = 600_000

const worldAt = movingAccount(31, 8)
const before = worldAt(dayZero)
const at = dayZero + 2 * daySeconds
const after = worldAt(at)

describe.concurrent('an import of what changed that is struck at one step ends as one that was not', () => {
  it.each(stepFates.map((fate, index) => ({ fate, first: 1 + index * 5 })))(
    '$fate a step',
    async ({ fate, first }) => {
      const steps = countSteps()
      const { around, aroundDatabase } = steps
      const stage = await stageImport({ world: before, around, aroundDatabase })
      const importBefore = async (one: ImportStage) => {
        steps.begin()
        stage.simulator.setWorld(before)
        await connectPayments(stage.deps, one.organizationId, demoKey)
        await one.work(await one.start())
        stage.simulator.setWorld(after)
        return one.start(lastHour(at))
      }
      try {
        const unharmed = await importBefore(stage)
        expect((await stage.work(unharmed, steps.begin())).status).toBe('completed')
        const stepCount = steps.names.length
        expect(stepCount).toBeGreaterThan(20)
        const expected = await stage.dump()
        for (let step = first; step <= stepCount; step += every) {
          const other = await stage.another(`${fate} ${step}`)
          const begun = await importBefore(other)
          const hit = await workStruck(other, begun, steps, { step, fate })
          expect(await other.dump(), hit).toEqual(expected)
        }
      } finally {
        await stage.close()
      }
    },
    testTimeoutMs,
  )
})
