import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

const stages: ImportStage[] = []
afterEach(async () => {
  await Promise.all(stages.splice(0).map((one) => one.close()))
})

const begun = smallWorld()
const begunAt = Date.parse(begun.as_of) / 1000

/** The account some minutes later: a customer has another name, an invoice another number, and events say so. */
function changedAfter(minutes: number, name: string, before: SimulatedWorld): SimulatedWorld {
  const at = begunAt + minutes * 60
  const event = (type: string, object: { id: string; object: string }) => ({
    ...{ id: `evt_${object.object}_${minutes}`, object: 'event', created: at - 30, type, data: { object } },
  })
  return readWorld({
    ...before,
    as_of: new Date(at * 1000).toISOString(),
    customers: before.customers.map((one) => (one.id === 'cus_one' ? { ...one, name } : one)),
    invoices: before.invoices.map((one) => (one.id === 'in_one' ? { ...one, number: name } : one)),
    events: [
      ...(before.events ?? []),
      event('customer.updated', { id: 'cus_one', object: 'customer' }),
      event('invoice.updated', { id: 'in_one', object: 'invoice' }),
    ],
  })
}

it('fetches again what an import that failed had fetched, if it changed since', async () => {
  let isAway = (_: string) => false
  const asked: string[] = []
  const stage = await stageImport({
    world: begun,
    around: (fetch) => (request) => {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      return isAway(pathname) ? Promise.resolve(new Response('', { status: 503 })) : fetch(request)
    },
  })
  stages.push(stage)
  await stage.importAll()
  const importAgain = async (restart?: boolean) => {
    asked.length = 0
    return stage.work(await stage.start({ mode: 'historical', ...(restart && { restart }) }))
  }

  const once = changedAfter(10, 'Once', begun)
  stage.simulator.setWorld(once)
  isAway = (path) => path === '/v1/invoice_payments'
  expect(await importAgain(true)).toMatchObject({ status: 'failed' })

  const twice = changedAfter(40, 'Twice', once)
  stage.simulator.setWorld(twice)
  isAway = (path) => path === '/v1/invoices/in_one'
  expect(await importAgain()).toMatchObject({ status: 'failed' })
  expect(asked).toContain('/v1/customers/cus_one')

  stage.simulator.setWorld(changedAfter(80, 'Thrice', twice))
  isAway = () => false
  expect(await importAgain()).toMatchObject({ status: 'completed' })
  const stored = `select (select name from customers where id = 'cus_one') as name,
                         (select number from invoices where id = 'in_one') as number`
  expect(await query(stage.db.ownerUrl, stored)).toEqual([{ name: 'Thrice', number: 'Thrice' }])
  const fresh = await stage.another('Fresh')
  await fresh.importAll()
  expect(await stage.dump()).toEqual(await fresh.dump())
})
