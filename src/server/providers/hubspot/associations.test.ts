import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { hubspotBy } from '#test/providers/hubspot-by.ts'
import type { CrmPair } from '../crm.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

type Inputs = { id: string; from: { id: string }; to: { id: string } }[]
type Answer = (inputs: Inputs) => { status?: number; body: object }

let portals = 0

/** A HubSpot for these calls: its answers to associations, the existing associations and the existing companies. */
function speaking(answers: { tie: Answer; standing?: readonly string[]; companies?: readonly string[] }) {
  const { tie, standing = [], companies = [] } = answers
  const asked: string[] = []
  const answer = (path: string, inputs: Inputs) => {
    if (path.includes('/crm/objects/')) {
      return {
        status: 207,
        body: {
          results: inputs.filter(({ id }) => companies.includes(id)).map(({ id }) => ({ id })),
          errors: inputs
            .filter(({ id }) => !companies.includes(id))
            .map(({ id }) => ({ category: 'OBJECT_NOT_FOUND', context: { ids: [id] } })),
        },
      }
    }
    if (!path.endsWith('/read')) return tie(inputs)
    const results = inputs.flatMap(({ id }) => {
      const to = standing.filter((pair) => pair.startsWith(`${id}/`)).map((pair) => pair.split('/')[1])
      return to.length === 0 ? [] : [{ from: { id }, to: to.map((toObjectId) => ({ toObjectId })) }]
    })
    return { body: { results } }
  }
  const crm = hubspotBy(
    async (request) => {
      const { pathname } = new URL(request.url)
      asked.push(pathname.split('/').slice(-2).join('/'))
      const { inputs } = JSON.parse(await request.text()) as { inputs: Inputs }
      const { status = 200, body } = answer(pathname, inputs)
      return Response.json(body, { status })
    },
    { paces: createRateLimits(db.database, () => new Date(0)) },
  )
  const access = { portalId: `associations ${++portals}`, token: async () => 'token' }
  const states = async (write: 'associate' | 'dissociate', pairs: readonly CrmPair[]) => {
    const outcomes = await crm[write](access, '2-1', 'company', pairs)
    return Object.fromEntries(
      outcomes.map((one) => {
        if (one.isDone) return [`${one.fromId}/${one.toId}`, 'done']
        const kind = one.held ? 'held' : one.isUnknown ? 'unknown' : 'refused'
        const state = `${kind}: ${one.message}`
        return [`${one.fromId}/${one.toId}`, state]
      }),
    )
  }
  return { asked, states }
}

const pair = (fromId: string, toId: string) => ({ fromId, toId })
const made = (fromId: string, toId: string) => ({ from: { id: fromId }, to: { id: toId } })

describe('associations', () => {
  it('count as made when they are among the results, and as refused under whatever name the error has', async () => {
    const error = { message: 'COMPANY=8 is not valid', context: { COMPANY: ['8'] } }
    const { states, asked } = speaking({
      tie: () => ({ status: 207, body: { results: [made('1', '9'), made('9', '2')], errors: [error] } }),
    })
    expect(await states('associate', [pair('1', '9'), pair('2', '9'), pair('3', '8')])).toEqual({
      '1/9': 'done',
      '2/9': 'done',
      '3/8': 'refused: COMPANY=8 is not valid',
    })
    expect(asked).toEqual(['associate/default'])
  })

  it('are looked at where a success says nothing of them, and stay to be tried again', async () => {
    const { states } = speaking({
      tie: () => ({ body: { status: 'COMPLETE', results: [] } }),
      standing: ['1/9'],
    })
    expect(await states('associate', [pair('1', '9'), pair('2', '9')])).toEqual({
      '1/9': 'done',
      '2/9': expect.stringContaining('unknown: '),
    })
  })

  it('are not all refused for an error that names none of them', async () => {
    const tie: Answer = () => ({ status: 207, body: { errors: [{ message: 'The record is full.' }] } })
    const { states } = speaking({ tie, standing: ['1/9', '3/9'] })
    expect(await states('associate', [pair('1', '9'), pair('2', '9'), pair('3', '9')])).toEqual({
      '1/9': 'done',
      '2/9': 'refused: The record is full.',
      '3/9': 'done',
    })
  })

  it('of one company that is gone cost few requests, though the batch is refused as a whole', async () => {
    const refused = { category: 'OBJECT_NOT_FOUND', message: 'No company 7.' }
    const tie: Answer = (inputs) =>
      inputs.some(({ to }) => to.id === '7')
        ? { status: 404, body: refused }
        : { body: { results: inputs.map(({ from, to }) => made(from.id, to.id)) } }
    const { states, asked } = speaking({ tie, companies: ['5', '9'] })
    const pairs = Array.from({ length: 2_000 }, (_, n) =>
      pair(`${n}`, n % 2 === 0 ? '7' : n % 3 === 0 ? '5' : '9'),
    )
    const outcomes = await states('associate', pairs)
    const wrong = pairs.filter(
      ({ fromId, toId }) =>
        outcomes[`${fromId}/${toId}`] !== (toId === '7' ? 'refused: No company 7.' : 'done'),
    )
    expect(wrong).toEqual([])
    expect(asked.length).toBeLessThan(60)
  })

  it('of one company that is full cost few requests, and those not tried stay due', async () => {
    const tie: Answer = (inputs) =>
      inputs.some(({ to }) => to.id === '7')
        ? { status: 400, body: { category: 'VALIDATION_ERROR', message: 'Company 7 is full.' } }
        : { body: { results: inputs.map(({ from, to }) => made(from.id, to.id)) } }
    const { states, asked } = speaking({ tie, companies: ['7', '8'] })
    const pairs = Array.from({ length: 400 }, (_, n) => pair(`${n}`, n % 8 === 0 ? '8' : '7'))
    const outcomes = Object.values(await states('associate', pairs))
    const count = (state: string) => outcomes.filter((outcome) => outcome.startsWith(state)).length
    expect([count('done'), count('held')]).toEqual([50, 0])
    expect(count('refused: Company 7 is full.') + count('unknown: Company 7 is full.')).toBe(350)
    expect(count('refused')).toBeGreaterThan(0)
    expect(asked.length).toBeLessThan(60)
  })

  it('of many companies that are gone are no affair of the account', async () => {
    const tie: Answer = (inputs) =>
      inputs.some(({ to }) => to.id !== '500')
        ? { status: 404, body: { category: 'OBJECT_NOT_FOUND', message: 'No such company.' } }
        : { body: { results: inputs.map(({ from, to }) => made(from.id, to.id)) } }
    const { states } = speaking({ tie, companies: ['500'] })
    const pairs = Array.from({ length: 16 }, (_, n) => pair(`${n}`, n % 8 === 0 ? '500' : `${100 + n}`))
    const outcomes = Object.values(await states('associate', pairs))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(2)
    expect(outcomes.filter((outcome) => outcome.startsWith('refused'))).toHaveLength(14)
  })

  it('that still stand were not taken apart, though HubSpot answers with a success', async () => {
    const tie: Answer = () => ({ body: { numErrors: 1, errors: [{ message: 'Locked.' }] } })
    const { states } = speaking({ tie, standing: ['2/9'] })
    expect(await states('dissociate', [pair('1', '9'), pair('2', '9')])).toEqual({
      '1/9': 'done',
      '2/9': 'refused: Locked.',
    })
  })
})
