import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRoute } from '#simulators/stripe/routes.ts'
import { ask, at, simulate } from '#simulators/stripe/testing/ask.ts'
import {
  specIsThere,
  validateAgainstSpec,
  validateErrorAgainstSpec,
} from '#simulators/stripe/testing/spec.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run } from '#test/database.ts'
import { goldenWorld } from '#test/import/golden-world.ts'
import { daySeconds, lastHour } from '#test/import/moving-account.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import type { FetchStub } from '#test/providers/send-by.ts'
import type { Run } from '../../../store/runs/runs.ts'

type Asked = { url: URL; path: string; status: number; body: unknown }

/** Records every request with its answer. */
const recording =
  (asked: Asked[]) =>
  (fetch: FetchStub): FetchStub =>
  async (request) => {
    const answer = await fetch(request)
    const url = new URL(request.url)
    const route = url.pathname.endsWith('/search') ? undefined : findRoute(url.pathname)?.route
    const path = route?.path.replace(':id', '{id}') ?? url.pathname
    asked.push({ url, path, status: answer.status, body: await answer.clone().json() })
    return answer
  }

/** The creation windows that requests ask for, such as `created[gte]=5`. */
const boundsIn = (asked: readonly Asked[]) =>
  asked.flatMap(({ url }) =>
    [...url.searchParams].filter(([name]) => name.startsWith('created')).map((bound) => bound.join('=')),
  )
const isWhole = (bound: string) => /^created\[(gte|lt|lte)\]=\d{1,10}$/.test(bound)

/** A window whose bounds are not whole seconds. */
const crooked = (instant: number) => {
  const { from, until } = lastHour(instant)
  return { mode: 'window' as const, from: new Date(+from + 123), until: new Date(+until - 321) }
}

/**
 * An account that reports its creation date, so that its lists are read in parts. One invoice line has no
 * item any more.
 */
function wholeAccount(): SimulatedWorld {
  const world: SimulatedWorld = structuredClone(goldenWorld(40))
  const account = { object: 'account', id: 'acct_1Small', ...world.account }
  const created = Date.parse(world.as_of) / 1000 - 400 * daySeconds
  const invoice = world.invoices.find(({ id }) => id === 'in_one')
  Object.assign(at(invoice, 'lines.data.0.parent.subscription_item_details') ?? {}, {
    subscription_item: 'si_gone',
  })
  return { ...world, account: { ...account, created } }
}

describe('an import and another of what changed', () => {
  const world = wholeAccount()
  const now = Date.parse(world.as_of) / 1000
  const asked: Asked[] = []
  const ended: Run[] = []
  let stage: ImportStage

  beforeAll(async () => {
    stage = await stageImport({ world, pageSize: 10, around: recording(asked) })
    ended.push(await stage.importAll())
    // The import fetches by id everything that an event names since then.
    const backTo = new Date((now - 20 * daySeconds) * 1000 + 456)
    await run(stage.db.ownerUrl, 'update payment_mirrors set events_until = $1, refreshed_at = $1', [backTo])
    ended.push(await stage.work(await stage.start(crooked(now - 21 * daySeconds))))
  })
  afterAll(() => stage.close())

  it('come to their end without a fault', () => {
    const whole = { status: 'completed', failed_records: 0, error: null }
    expect(ended).toMatchObject([whole, whole])
  })

  it('ask for these lists and objects and nothing else, and nothing is refused', () => {
    expect(asked.filter(({ status }) => status !== 200).map(({ url }) => url.href)).toEqual([])
    expect([...new Set(asked.map(({ path }) => path))].sort()).toEqual([
      '/v1/account',
      '/v1/coupons',
      '/v1/coupons/{id}',
      '/v1/customers',
      '/v1/customers/{id}',
      '/v1/events',
      '/v1/invoice_payments',
      '/v1/invoice_payments/{id}',
      '/v1/invoices',
      '/v1/invoices/{id}',
      '/v1/invoices/{id}/lines',
      '/v1/payment_methods',
      '/v1/prices',
      '/v1/prices/{id}',
      '/v1/products',
      '/v1/products/{id}',
      '/v1/subscription_items',
      '/v1/subscriptions',
      '/v1/subscriptions/{id}',
      '/v1/test_helpers/test_clocks',
    ])
  })

  it('ask for windows between whole seconds alone', () => {
    const bounds = boundsIn(asked)
    for (const bound of ['gte', 'lt']) {
      const ofIt = bounds.filter((one) => one.startsWith(`created[${bound}]`))
      expect(new Set(ofIt).size, bound).toBeGreaterThan(5)
    }
    expect(bounds.filter((bound) => !isWhole(bound))).toEqual([])
  })

  it.skipIf(!specIsThere)('read answers in the shape of Stripe’s document', () => {
    const faults = asked.flatMap(({ url, path, status, body }) => {
      const found = status === 200 ? validateAgainstSpec(path, body) : validateErrorAgainstSpec(body)
      return found.map((fault) => `${url}${fault}`)
    })
    expect(faults).toEqual([])
  })
})

describe('a bound that is no whole number', () => {
  it.each(['NaN', 'undefined', 'null', 'Infinity', '1.5', '1e9', '1767225600.0'])(
    'is refused by the simulated Stripe: %s',
    async (bound) => {
      for (const list of ['invoices', 'events', 'subscriptions']) {
        const { status, body } = await ask(simulate(), `/v1/${list}?created[gte]=${bound}`)
        expect(status).toBe(400)
        expect(at(body, 'error')).toMatchObject({ code: 'parameter_invalid_integer', param: 'created[gte]' })
      }
    },
  )

  it('does not come of objects that tell no time of their creation', async () => {
    const asked: Asked[] = []
    const strange = [undefined, 'soon', 1.5, null, Number.MAX_VALUE]
    const stage = await stageImport({
      world: wholeAccount(),
      pageSize: 3,
      around: (fetch) =>
        recording(asked)(async (request) => {
          const answer = await fetch(request)
          const body = (await answer.json()) as { data?: { created?: unknown }[] }
          for (const [index, entry] of (body.data ?? []).entries())
            if ((asked.length + index) % 3 === 0)
              entry.created = strange[(asked.length + index) % strange.length]
          return Response.json(body, { status: answer.status, headers: answer.headers })
        }),
    })
    try {
      expect(await stage.importAll()).toMatchObject({ status: 'completed' })
      expect(boundsIn(asked).length).toBeGreaterThan(20)
      expect(boundsIn(asked).filter((bound) => !isWhole(bound))).toEqual([])
      expect(asked.filter(({ status }) => status !== 200).map(({ url }) => url.href)).toEqual([])
    } finally {
      await stage.close()
    }
  })
})
