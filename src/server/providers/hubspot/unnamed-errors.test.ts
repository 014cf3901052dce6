import { expect, it } from 'vitest'
import { hubspotBy } from '#test/providers/hubspot-by.ts'

type Input = { id: string }
const message = 'It breaks a rule'
const keys = Array.from({ length: 100 }, (_, n) => `event${n}`)
const access = { portalId: '1', token: async () => 'token' }

/** A HubSpot that refuses some records of a batch, and does not say in the error which. */
function refusing(...refused: readonly string[]) {
  const standing = new Set<string>()
  const asked = { count: 0 }
  const crm = hubspotBy(async (request) => {
    const { inputs } = JSON.parse(await request.text()) as { inputs: Input[] }
    const record = (id: string) => ({ id: `record ${id}`, properties: { tributary_event_id: id } })
    if (request.url.endsWith('/read'))
      return Response.json({ results: inputs.flatMap(({ id }) => (standing.has(id) ? record(id) : [])) })
    asked.count += 1
    const good = inputs.filter(({ id }) => !refused.includes(id))
    for (const { id } of good) standing.add(id)
    if (good.length === inputs.length && request.url.endsWith('/archive'))
      return new Response(null, { status: 204 })
    const errors = good.length < inputs.length ? [{ status: 'error', message }] : []
    return Response.json({ results: good.map(({ id }) => record(id)), errors }, { status: 207 })
  })
  return { crm, asked }
}

it.each([100, 1])(
  'finds whose an error of a batch of %d is that names nobody, with its reason',
  async (size) => {
    const { crm, asked } = refusing('event0', 'event70')
    const rows = keys.slice(0, size).map((key) => ({ key, values: { eventId: key }, isNew: false }))
    const outcomes = await crm.upsertRecords(access, 'event', '2-1', rows)
    expect(outcomes).toHaveLength(size)
    expect(outcomes.filter(({ state }) => state !== 'written')).toEqual(
      ['event0', 'event70'].slice(0, size).map((key) => ({ key, state: 'refused', message })),
    )
    expect(asked.count).toBeLessThan(30)
  },
)

it('takes none of the records for deleted that HubSpot refused to delete', async () => {
  const { crm, asked } = refusing('event7', 'event70')
  expect(await crm.archiveRecords(access, '2-1', keys)).toEqual([
    { recordId: 'event7', message },
    { recordId: 'event70', message },
  ])
  expect(asked.count).toBeLessThan(30)
})
