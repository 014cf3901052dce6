import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { listTotalFaults, spoilTotals } from '#test/store/kept-totals.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

let stage: ImportStage
afterEach(() => stage.close())

const faults = async () => (await listTotalFaults(stage.db.ownerUrl)).length
const spoil = () => spoilTotals(stage.db.ownerUrl, stage.organizationId)

it('a first import counts the lists at its end, so that no difference is missed from the start', async () => {
  stage = await stageImport({ world: smallWorld() })
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const claimed = await stage.start()
  await spoil()
  await stage.work(claimed)
  expect(await faults()).toBe(0)
})

it('a later import counts them only if it was taken over', async () => {
  stage = await stageImport({ world: smallWorld() })
  await stage.importAll()
  await spoil()
  await stage.work(await stage.start())
  expect(await faults()).toBeGreaterThan(0)
  const { run } = await stage.start()
  await stage.work(await stage.claim(run.id))
  expect(await faults()).toBe(0)
})
