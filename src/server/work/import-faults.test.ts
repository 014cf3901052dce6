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
  it('ends the same after a crash at every step: each request, each answer, each write', async () => {
    let crash = new AbortController()
    let steps = 0
    let crashAt = Number.POSITIVE_INFINITY
    const step = (): void => {
      steps += 1
      if (steps === crashAt) crash.abort(new Error('killed'))
      crash.signal.throwIfAborted()
    }
    const first = await staged({
      world: generatedWorld(8),
      pageSize: 30,
      onNow: step,
      around: (fetch) => async (request) => {
        step()
        const answer = await fetch(request)
        step()
        return answer
      },
    })
    const { deps } = first
    await connectPayments(deps, first.organizationId, demoKey)
    const begun = await first.start()
    steps = 0
    await first.work(begun)
    const stepCount = steps
    const expected = await first.dump()
    expect(stepCount).toBeGreaterThan(35)

    for (let k = 1; k <= stepCount; k += 1) {
      crash = new AbortController()
      crashAt = Number.POSITIVE_INFINITY
      const other = await first.another(`crash ${k}`)
      await connectPayments(deps, other.organizationId, demoKey)
      const claimed = await other.start()
      steps = 0
      crashAt = k
      const attempt = await other.work(claimed, crash.signal).catch((error: unknown) => error)
      crashAt = Number.POSITIVE_INFINITY
      const wasKilled = crash.signal.aborted
      crash = new AbortController()
      if (attempt instanceof Error) {
        expect(attempt.message).toBe('killed')
        await other.work(await other.claim(claimed.run.id))
      } else expect(wasKilled && (attempt as { status: string }).status !== 'completed').toBe(false)
      expect(await other.dump(), `killed at step ${k}`).toEqual(expected)
    }
  }, 120_000)

  it.each([1, 7, 100])('ends the same with pages of %i', async (pageSize) => {
    const world = generatedWorld(6)
    const whole = await staged({ world })
    await whole.importAll()
    const expected = await whole.dump()
    await whole.close()
    const { importAll, dump } = await staged({ world, pageSize })
    await importAll()
    expect(await dump()).toEqual(expected)
  })

  it.each(['rate_limit', 'status', 'reset', 'truncate', 'html', 'empty'] as const)(
    'ends the same with %s in the middle of it',
    async (kind) => {
      const world = generatedWorld(6)
      const whole = await staged({ world })
      await whole.importAll()
      const expected = await whole.dump()
      await whole.close()
      const { deps, organizationId, simulator, start, work, dump } = await staged({ world, pageSize: 20 })
      await connectPayments(deps, organizationId, demoKey)
      for (const pathPrefix of ['/v1/invoices', '/v1/subscriptions', '/v1/customers'])
        await simulator.fetch(
          new Request('http://stripe.test/_faults', {
            method: 'POST',
            body: JSON.stringify({ kind, match: { pathPrefix, nth: 1, times: 3 } }),
          }),
        )
      const ended = await work(await start())
      expect(ended.status).toBe('completed')
      expect(await dump()).toEqual(expected)
    },
  )

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
      /Stripe answered with something that is not JSON when asked for the invoices/,
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
