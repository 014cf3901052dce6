import { describe, expect, it } from 'vitest'
import type { OpenAnswers } from '#simulators/hubspot/open-answers.ts'
import { enterpriseHubId, openBench } from '#simulators/hubspot/test-client.ts'
import { type Asked, createAsk, type Finding } from './ask.ts'
import { askHubspot } from './hubspot-questions.ts'

const scopes = [
  ...['companies', 'contacts', 'custom'].flatMap((noun) => [
    `crm.objects.${noun}.read`,
    `crm.objects.${noun}.write`,
  ]),
  'crm.schemas.custom.read',
  'crm.schemas.custom.write',
]
type Instead = (method: string, path: string, body: unknown) => Partial<Asked> | undefined

/** A test account with a service key; `instead` answers a call as HubSpot might, in place of the simulator. */
async function testAccount(settings: object = { accountType: 'DEVELOPER_TEST' }) {
  const bench = openBench()
  const hubId = String(enterpriseHubId)
  await bench.send('POST', '/_control/settings', { hubId, ...settings })
  const made = await bench.send('POST', '/_control/service-key', { hubId, scopes })
  const origin = 'http://hubspot.test'
  const headers = { authorization: `Bearer ${made.body.key}` }
  const ask = createAsk({
    fetch: (url, init) => bench.simulator.fetch(new Request(url, { ...init, redirect: 'manual' })),
    ...{ origin, headers, mayWrite: true, sleep: async () => {} },
  })
  const run = async (instead: Instead = () => undefined) =>
    askHubspot(async (method, path, body) => {
      const other = instead(method, path, body)
      return other === undefined ? ask(method, path, body) : { ...gone, ...other }
    }, 'a1b2c3')
  const schemas = async () => (await ask('GET', '/crm-object-schemas/2026-09/schemas')).body
  return { bench, run, schemas, key: String(made.body.key) }
}
const gone: Asked = { status: 400, headers: new Headers(), body: {} }

const answerTo = (findings: Finding[], part: string) =>
  findings.find(({ question }) => question.includes(part))?.answer

describe('the questions to HubSpot', () => {
  it('are answered in a test account, and nothing stays behind', async () => {
    const { run, bench, schemas } = await testAccount()
    const countOf = (type: string) => bench.simulator.portal(enterpriseHubId).records(type).length
    const counts = [countOf('0-1'), countOf('0-2')]
    const findings = await run()
    expect(answerTo(findings, 'service key create custom objects')).toBe('yes')
    expect(answerTo(findings, 'needed to create one')).toBe('no')
    expect(answerTo(findings, 'unique value an archived record has')).toBe('makes a new record')
    expect(answerTo(findings, 'one record cannot be written')).toMatch(/^(?:207|400|201|200), \d of 2/)
    expect(answerTo(findings, 'additional address')).toMatch(/^(?:yes|no)$/)
    expect(answerTo(findings, 'merged away')).toBe('no')
    expect(answerTo(findings, 'everything that the probe made removed')).toBe('yes')
    expect([countOf('0-1'), countOf('0-2')]).toEqual(counts)
    expect(await schemas()).toEqual({ results: [] })
  })

  it.each<[setting: Partial<OpenAnswers>, part: string, answer: string | RegExp]>([
    [{ archivedValue: 'frees' }, 'unique value an archived record has', 'makes a new record'],
    [{ archivedValue: 'revives' }, 'unique value an archived record has', 'revives the archived record'],
    [{ archivedValue: 'refuses' }, 'unique value an archived record has', 'refused, 409 CONFLICT'],
    [{ failingBatch: 'whole' }, 'one record cannot be written', '400, 0 of 2 written'],
    [{ failingBatch: 'part' }, 'one record cannot be written', '207, 1 of 2 written'],
    [{ filterValues: 100 }, 'values may a filter IN', 'refused at 101'],
    [{ filterValues: 50 }, 'values may a filter IN', 'refused at 100'],
    [{ filterValues: null }, 'values may a filter IN', '500 are taken'],
    [{ searchLength: 3_000 }, '3,000 characters', 'yes'],
    [{ searchLength: null }, '3,000 characters', 'no'],
    [{ historyBatch: 50 }, 'ask for the history', 'no, 400 VALIDATION_ERROR'],
    [{ historyBatch: 100 }, 'ask for the history', 'yes'],
    [{ findsAdditionalAddresses: true }, 'additional address', 'yes'],
    [{ findsAdditionalAddresses: false }, 'additional address', 'no'],
    [{ tiesMergedIds: true }, 'merged away', 'yes'],
    [{ tiesMergedIds: false }, 'merged away', 'no'],
    [{ requiredSchemaFields: [] }, 'needed to create one', 'no'],
    [{ requiredSchemaFields: ['searchableProperties', 'associatedObjects'] }, 'needed to create one', 'yes'],
    [{ requiredSchemaFields: ['shouldCreateSameObjectAssociation'] }, 'needed to create one', 'yes'],
  ])('tell %j', async (openAnswers, part, answer) => {
    const { run, schemas } = await testAccount({ accountType: 'DEVELOPER_TEST', openAnswers })
    const findings = await run()
    expect(answerTo(findings, part)).toMatch(answer)
    expect(answerTo(findings, 'everything that the probe made removed')).toBe('yes')
    expect(await schemas()).toEqual({ results: [] })
  })

  it.each(['plan', 'scope', 'approval'])('tell that a key may not create objects, by %s', async (key) => {
    const { run } = await testAccount({ accountType: 'SANDBOX', schemaRefusals: { key } })
    const findings = await run()
    expect(answerTo(findings, 'service key create custom objects')).toMatch(/^403 [A-Z_]+$/)
    expect(answerTo(findings, 'everything that the probe made removed')).toBe('yes')
  })

  it('are not asked in an account that somebody works in', async () => {
    const { run, bench } = await testAccount({})
    const writes = () => bench.simulator.requests.list('/crm').filter(({ method }) => method !== 'GET')
    await expect(run()).rejects.toThrow('is STANDARD. The probe writes only into a test account.')
    expect(writes()).toEqual([])
  })

  it('say what was left when it cannot be removed', async () => {
    const { run } = await testAccount()
    const findings = await run((method, path) =>
      method === 'DELETE' && path.includes('/schemas/') ? { status: 403 } : undefined,
    )
    const last = findings.find(({ question }) => question.includes('removed'))
    expect(last).toMatchObject({ answer: 'no', evidence: 'the object tributary_probe_a1b2c3' })
  })
})
