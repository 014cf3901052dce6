import { expect, it } from 'vitest'
import { generatedWorld, stageImport } from '#test/import/stage-import.ts'

/** What a list of coupons says of another coupon under each id. */
function otherTerms(list: string): string {
  const { data, ...rest } = JSON.parse(list)
  const other = { once: 'forever', repeating: 'forever', forever: 'once' } as const
  const coupons = data.map((coupon: { duration: keyof typeof other; percent_off: number | null }) => ({
    ...coupon,
    duration: other[coupon.duration],
    ...(coupon.percent_off === null ? {} : { percent_off: coupon.percent_off / 2 }),
  }))
  return JSON.stringify({ ...rest, data: coupons })
}

async function eventsAfter(change: (list: string) => string): Promise<unknown[] | undefined> {
  const stage = await stageImport({
    world: generatedWorld(60),
    around: (fetch) => async (request) => {
      const answer = await fetch(request)
      if (new URL(request.url).pathname !== '/v1/coupons') return answer
      return new Response(change(await answer.text()), { headers: answer.headers })
    },
  })
  await stage.importAll()
  const { events } = await stage.dump()
  await stage.close()
  return events
}

it('keeps the terms of discounts whose coupon was deleted and made again under its id', async () => {
  const events = await eventsAfter((list) => list)
  expect(events?.length).toBeGreaterThan(60)
  expect(await eventsAfter(otherTerms)).toEqual(events)
})
