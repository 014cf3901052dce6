import { afterEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { connectPayments } from './connect-payments.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from './import/test-support.ts'

let stage: ImportStage | undefined
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  stage = await stageImport(...args)
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

describe('whatever happens on the way', () => {
  it('writes nothing a second time', async () => {
    const { importAll, dump, db } = await staged({ world: generatedWorld(6) })
    await importAll()
    const first = await dump()
    const versions = () =>
      query(
        db.ownerUrl,
        'select id, xmin::text from events union select id, xmin::text from subscriptions order by 1',
      )
    const before = await versions()
    expect((await importAll()).status).toBe('completed')
    expect(await dump()).toEqual(first)
    expect(await versions()).toEqual(before)
  })

  it('fails with the reason when Stripe stays away, and goes on with the next import', async () => {
    let isAway = false
    const { deps, organizationId, start, work, dump } = await staged({
      world: smallWorld(),
      around: (fetch) => (request) =>
        isAway && request.url.includes('/invoices')
          ? Promise.resolve(new Response('<html>', { status: 502 }))
          : fetch(request),
    })
    await connectPayments(deps, organizationId, demoKey)
    isAway = true
    const failed = await work(await start())
    expect(failed.status).toBe('failed')
    expect(failed.error).toMatch(
      /Stripe answered with an HTML page and status 502 when asked for the invoices/,
    )
    isAway = false
    expect(await work(await start())).toMatchObject({ status: 'completed' })
    expect((await dump())['invoices']).toHaveLength(3)
  })

  it('marks the connection when the key is refused in the middle', async () => {
    let isRolled = false
    const { deps, organizationId, start, work, db } = await staged({
      world: smallWorld(),
      around: (fetch) => (request) => {
        if (!isRolled) return fetch(request)
        const headers = new Headers(request.headers)
        headers.set('authorization', 'Bearer sk_test_expired')
        return fetch(new Request(request.url, { headers }))
      },
    })
    await connectPayments(deps, organizationId, demoKey)
    isRolled = true
    const failed = await work(await start())
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(/expired or was rolled/) })
    const [connection] = await query(db.ownerUrl, 'select warning from connections')
    expect(connection).toMatchObject({ warning: expect.stringMatching(/expired/) })
  })
})
