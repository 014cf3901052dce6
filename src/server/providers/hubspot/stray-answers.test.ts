import { expect, it } from 'vitest'
import { hubspotBy } from '#test/providers/hubspot-by.ts'
import type { CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'

const page = (status: number) => () => new Response('<html>', { status })
const said = (status: number, body: object) => () => Response.json(body, { status })
const account = said(200, { portalId: 42 })

/** A way to HubSpot that gives a list of answers and repeats the last. */
function behindGateway(...answers: (() => Response)[]) {
  let asked = 0
  const waits: number[] = []
  const heard: boolean[] = []
  const crm = hubspotBy(async () => (answers[asked++] ?? answers.at(-1) ?? account)(), {
    sleep: async (ms) => {
      waits.push(ms)
    },
  })
  const access: CrmAccess = {
    portalId: '1',
    token: async () => 'token',
    onHeard: (isAnswered) => heard.push(isAnswered),
  }
  return { crm, access, waits, heard }
}

it.each([400, 404, 407, 408, 409, 421, 499])(
  'a page with a %i is no answer and is waited out',
  async (status) => {
    const { crm, access, waits, heard } = behindGateway(page(status), page(status), account)
    expect(await crm.getAccount(access)).toMatchObject({ portalId: '42' })
    expect(waits).toEqual([500, 1_000])
    expect(heard).toEqual([false, false, true])
  },
)

it.each([
  ['404 of another server', said(404, { status: 404, error: 'Not Found', path: '/' })],
  ['400 in words of others', said(400, { message: 'Bad Request' })],
  ['400 that is a list', said(400, [{ category: 'VALIDATION_ERROR' }])],
  ['400 with an empty object', said(400, {})],
  ['408 in the form of HubSpot', said(408, { status: 'error', category: 'TIMEOUT' })],
])('a %s is no answer', async (_, stray) => {
  const { crm, access, heard } = behindGateway(stray, account)
  expect(await crm.getAccount(access)).toMatchObject({ portalId: '42' })
  expect(heard).toEqual([false, true])
})

it.each([
  ['status', said(409, { status: 'error' }), 'rejected'],
  ['category', said(404, { category: 'OBJECT_NOT_FOUND' }), 'not_found'],
  ['id', said(400, { correlationId: 'correlation-1' }), 'rejected'],
])('an error is of HubSpot by its %s alone, and is not asked for again', async (_, refusal, kind) => {
  const { crm, access, waits, heard } = behindGateway(refusal)
  await expect(crm.getAccount(access)).rejects.toMatchObject({ kind })
  expect([waits, heard]).toEqual([[], [true]])
})

it.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [423, 'unavailable'],
  [477, 'unavailable'],
])('a page with a %i means the same as an answer of HubSpot with it', async (status, kind) => {
  const { crm, access, heard } = behindGateway(page(status))
  await expect(crm.getAccount(access)).rejects.toMatchObject({ kind })
  expect(new Set(heard)).toEqual(new Set([true]))
})

it.each([
  ['a contact is gone', 404, (crm: CrmPort, access: CrmAccess) => crm.deleteContactForGood(access, '7')],
  ['an object is there', 409, (crm: CrmPort, access: CrmAccess) => crm.createObject(access, 'event', '2-1')],
  ['a key is unknown', 404, (crm: CrmPort) => crm.inspectKey('pat-eu1-1')],
])('a stray answer does not say that %s, and is told with its status', async (_, status, ask) => {
  const { crm, access } = behindGateway(page(status))
  await expect(ask(crm, access)).rejects.toMatchObject({
    ...{ kind: 'unavailable', isAnswered: false },
    request: { status },
  })
})

it('a page in place of a new token does not end the connection, as a refusal in words of OAuth does', async () => {
  const refused = said(400, { error: 'invalid_grant' })
  const refresh = (answer: () => Response) => behindGateway(answer).crm.refreshTokens('r')
  await expect(refresh(page(400))).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(refresh(refused)).rejects.toMatchObject({ kind: 'unauthorized' })
})

it.each([
  ['OAuth', said(401, { error: 'invalid_client' })],
  ['HubSpot', said(400, { status: 'BAD_CLIENT_SECRET', message: 'missing or invalid client secret' })],
  ['both', said(401, { error: 'invalid_client', status: 'BAD_CLIENT_ID' })],
])('a refusal of the app in words of %s ends no connection, and names the settings', async (_, refused) => {
  const { crm } = behindGateway(refused)
  const named = {
    kind: 'unavailable',
    isAnswered: true,
    message: expect.stringContaining('HUBSPOT_CLIENT_SECRET'),
  }
  await expect(crm.refreshTokens('r')).rejects.toMatchObject(named)
  await expect(crm.exchangeCode({ code: 'c', redirectUri: 'http://localhost/x' })).rejects.toMatchObject(
    named,
  )
})
