import { afterEach, beforeEach, expect, it } from 'vitest'
import { getImportJob } from '#contract/sync.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'

let world: TestWorld
let person: Person
beforeEach(async () => {
  world = await newWorld({ account: generatedWorld(4) })
  person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
})
afterEach(() => world.close())

type Simulator = { fetch(request: Request): Response | Promise<Response> }

const refuse = (simulator: Simulator, fault: object) =>
  simulator.fetch(
    new Request('http://simulator.test/_faults', { method: 'POST', body: JSON.stringify(fault) }),
  )

async function runOnce(path: string) {
  const answer = await person.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { importId } = await answer.json()
  await world.drain()
  const job = await (await person.fetch(`/api/sync/import-status/${importId}`)).json()
  return getImportJob.response.parse(job)
}

it('tells of a failed import which request failed, with the id that Stripe gave it', async () => {
  await refuse(world.stripe, {
    kind: 'status',
    status: 400,
    match: { pathPrefix: '/v1/invoices', times: null },
  })
  expect(await runOnce('/api/import/historical')).toMatchObject({
    status: 'failed',
    failure: {
      phase: 'importing',
      request: { method: 'GET', path: '/v1/invoices', status: 400, id: expect.stringMatching(/^req_/) },
    },
  })
})

it('tells of a failed sync at which step, and the id of the request, without ids of records', async () => {
  await runOnce('/api/import/historical')
  await refuse(world.hubspot, {
    ...{
      kind: 'status',
      status: 400,
      category: 'VALIDATION_ERROR',
      message: 'Property values were not valid',
    },
    match: { pathPrefix: '/crm/objects/2026-09/0-2', times: null },
  })
  const { failure, error } = await runOnce('/api/sync/push-all')
  expect(error).toBe('HubSpot refused a request: Property values were not valid')
  expect(failure).toMatchObject({
    phase: 'matching',
    request: {
      path: expect.stringMatching(/^\/crm\/objects\/2026-09\/\{id\}/),
      status: 400,
      code: 'VALIDATION_ERROR',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  })
})

it('tells no place of a run that did not fail', async () => {
  expect(await runOnce('/api/import/historical')).toMatchObject({ status: 'completed', failure: null })
})
