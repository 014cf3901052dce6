import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

const stages: ImportStage[] = []
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())))

const begun = smallWorld()

/** The account some minutes later, with another number of one invoice and the event that says so. */
function later(minutes: number, number: string, before: SimulatedWorld): SimulatedWorld {
  const at = Date.parse(begun.as_of) / 1000 + minutes * 60
  const invoices = before.invoices.map((one) => (one.id === 'in_one' ? { ...one, number } : one))
  const object = { id: 'in_one', object: 'invoice' }
  const event = { id: `evt_${number}`, object: 'event', created: at - 30, type: 'invoice.updated' }
  const events = [...(before.events ?? []), { ...event, data: { object } }]
  return readWorld({ ...before, as_of: new Date(at * 1000).toISOString(), invoices, events })
}

it('an object that changed after an import fetched it and failed is fetched again by the import that goes on', async () => {
  let isAway = false
  const stage = await stageImport({
    world: begun,
    around: (fetch) => async (request) =>
      isAway && request.url.includes('/v1/invoice_payments')
        ? new Response('', { status: 503 })
        : fetch(request),
  })
  stages.push(stage)
  await stage.importAll()
  const first = later(10, 'A-1', begun)
  stage.simulator.setWorld(first)
  isAway = true
  const restart = await stage.start({ mode: 'historical', restart: true })
  expect(await stage.work(restart)).toMatchObject({ status: 'failed' })
  const second = later(40, 'B-2', first)
  stage.simulator.setWorld(second)
  isAway = false
  const fetched = await stage.start({ mode: 'historical' })
  await stage.work(fetched)
  // As if it had failed after its last object.
  const fail = `update runs set status = 'failed', completed_at = created_at where id = $1`
  await query(stage.db.ownerUrl, fail, [fetched.run.id])
  stage.simulator.setWorld(later(80, 'C-3', second))
  expect(await stage.work(await stage.start({ mode: 'historical' }))).toMatchObject({ status: 'completed' })
  const numbers = await query(stage.db.ownerUrl, `select number from invoices where id = 'in_one'`)
  expect(numbers).toEqual([{ number: 'C-3' }])
})
