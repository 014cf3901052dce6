import { type AskProvider, at, type Finding, listAt } from './ask.ts'
import { makeRecord, noteResults, removeTraces, type Traces } from './hubspot-traces.ts'
import { withoutSecrets } from './report.ts'

const objects = '/crm/objects/2026-09'
/** The kinds of account that nobody works in. */
const testAccounts = ['DEVELOPER_TEST', 'SANDBOX']

/** Questions that a key cannot ask, each with the reason. */
const notAsked: readonly [string, string][] = [
  ['May an OAuth app create custom objects?', 'a key is no app; install the app in a test account'],
  ['What does an account without Enterprise answer?', 'a test account has Enterprise'],
  ['Does a refused call say how long to wait (Retry-After)?', 'the limit would have to be used up'],
  ['Are refresh tokens replaced?', 'a key has no refresh token'],
  ['How many pairs may one batch associate?', 'thousands of records would have to be made'],
  ['What is the daily limit of a marketplace app?', 'a key is no app'],
  ['Which parts of an upsert by email can fail alone?', 'the documents do not say what to look for'],
  ['Does Free end at ten custom properties, and are orders open there?', 'a test account is not Free'],
  ['Do money properties follow the currency of a company?', 'the account needs a second currency'],
  ['Is a redirect address with an IP taken?', 'only the upload of an app can tell'],
]

/**
 * All questions to HubSpot, in a test account only, with objects of the probe's own names that it removes afterwards.
 * Throws, in one line, before it writes into any other account.
 */
export async function askHubspot(ask: AskProvider, chance: string): Promise<Finding[]> {
  const account = await ask('GET', '/account-info/2026-09/details')
  const kind = String(at(account.body, 'accountType') ?? `status ${account.status}`)
  if (!testAccounts.includes(kind)) {
    throw new Error(
      `The HubSpot account is ${withoutSecrets(kind)}. The probe writes only into a test account.`,
    )
  }
  const name = `tributary_probe_${chance}`
  const traces: Traces = { typeId: null, records: [] }
  const findings: Finding[] = []
  try {
    findings.push(...(await askSchema(ask, traces, name)))
    if (traces.typeId !== null) findings.push(...(await askRecords(ask, traces, traces.typeId)))
    findings.push(...(await askContacts(ask, traces, chance)))
  } finally {
    const left = await removeTraces(ask, traces, name)
    findings.push({
      question: 'Was everything that the probe made removed?',
      answer: left.length === 0 ? 'yes' : 'no',
      evidence: left.length === 0 ? `${traces.records.length} records and an object` : left.join(', '),
    })
  }
  const rest = notAsked.map(([question, evidence]) => ({ question, answer: 'not asked', evidence }))
  return [...findings, ...rest]
}

function refusal(answer: { status: number; body: unknown }): string {
  const category = at(answer.body, 'category')
  return `${answer.status}${typeof category === 'string' ? ` ${withoutSecrets(category)}` : ''}`
}

const said = (body: unknown) => withoutSecrets(String(at(body, 'message') ?? 'no message'))

async function askSchema(ask: AskProvider, traces: Traces, name: string): Promise<Finding[]> {
  const text = { type: 'string', fieldType: 'text' }
  const fewest = {
    name,
    labels: { singular: 'Tributary probe', plural: 'Tributary probes' },
    primaryDisplayProperty: 'probe_key',
    properties: [
      { name: 'probe_key', label: 'Probe key', ...text, hasUniqueValue: true },
      { name: 'probe_count', label: 'Probe count', type: 'number', fieldType: 'number' },
    ],
  }
  const all = {
    ...fewest,
    requiredProperties: ['probe_key'],
    searchableProperties: ['probe_key'],
    associatedObjects: ['COMPANY'],
    secondaryDisplayProperties: [],
    allowsSensitiveProperties: false,
    shouldCreateSameObjectAssociation: false,
  }
  const make = (schema: object) => ask('POST', '/crm-object-schemas/2026-09/schemas', schema)
  const first = await make(fewest)
  const needsAll = first.status === 400
  const made = needsAll ? await make(all) : first
  const typeId = at(made.body, 'objectTypeId')
  if (made.status === 201 && typeof typeId === 'string') traces.typeId = typeId
  const isMade = traces.typeId !== null
  return [
    {
      question: 'May a service key create custom objects?',
      answer: isMade ? 'yes' : refusal(made),
      evidence: isMade ? 'one was made' : said(made.body),
    },
    {
      question: 'Are more fields than the guide shows needed to create one?',
      answer: isMade ? (needsAll ? 'yes' : 'no') : 'not seen',
      evidence:
        isMade && !needsAll
          ? 'it was made with name, labels, display property and properties'
          : said(first.body),
    },
  ]
}

async function askRecords(ask: AskProvider, traces: Traces, type: string): Promise<Finding[]> {
  const upsert = (inputs: object[]) => ask('POST', `${objects}/${type}/batch/upsert`, { inputs })
  const input = (key: string, count: string) => ({
    idProperty: 'probe_key',
    id: key,
    properties: { probe_key: key, probe_count: count },
  })
  return [
    await askFreedKey(ask, traces, type, () => upsert([input('one', '1')])),
    await askPartlyFailed(traces, type, await upsert([input('two', '2'), input('three', 'no number')])),
    await askLongFilter(ask, type),
    await askLongSearch(ask, type),
    await askHistory(ask, type),
  ]
}

async function askFreedKey(
  ask: AskProvider,
  traces: Traces,
  type: string,
  upsert: () => Promise<{ status: number; body: unknown }>,
): Promise<Finding> {
  const question = 'What does an upsert do whose unique value an archived record has?'
  const id = await makeRecord(ask, traces, type, { probe_key: 'one', probe_count: '1' })
  if (id === null) return { question, answer: 'not seen', evidence: 'no record could be made' }
  await ask('DELETE', `${objects}/${type}/${id}`)
  const again = await upsert()
  const [result] = noteResults(traces, type, again.body)
  if (result === undefined)
    return { question, answer: `refused, ${refusal(again)}`, evidence: said(again.body) }
  const answer = at(result, 'id') === id ? 'revives the archived record' : 'makes a new record'
  return { question, answer, evidence: `status ${again.status}, new: ${String(at(result, 'new'))}` }
}

function askPartlyFailed(traces: Traces, type: string, answer: { status: number; body: unknown }): Finding {
  const written = noteResults(traces, type, answer.body).length
  return {
    question: 'How is a batch answered of which one record cannot be written?',
    answer: `${answer.status}, ${written} of 2 written`,
    evidence: `${listAt(answer.body, 'errors').length} errors told, ${refusal(answer)}`,
  }
}

async function askLongFilter(ask: AskProvider, type: string): Promise<Finding> {
  const outcomes: string[] = []
  for (const count of [100, 101, 500]) {
    const values = Array.from({ length: count }, (_, index) => String(index))
    const { status } = await searchFor(ask, type, values)
    outcomes.push(`${count}: ${status}`)
  }
  const refused = outcomes.find((outcome) => !outcome.endsWith(' 200'))
  return {
    question: 'How many values may a filter IN have?',
    answer: refused === undefined ? '500 are taken' : `refused at ${refused.split(':')[0]}`,
    evidence: outcomes.join(', '),
  }
}

function searchFor(ask: AskProvider, type: string, values: string[]) {
  const filters = [{ propertyName: 'probe_key', operator: 'IN', values }]
  return ask('POST', `${objects}/${type}/search`, { filterGroups: [{ filters }], limit: 1 })
}

async function askLongSearch(ask: AskProvider, type: string): Promise<Finding> {
  const { status, body } = await searchFor(
    ask,
    type,
    Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(80, 'x')),
  )
  return {
    question: 'Does the limit of 3,000 characters of a search count its values?',
    answer: status === 200 ? 'no' : `yes, ${refusal({ status, body })}`,
    evidence: status === 200 ? 'more were taken' : said(body),
  }
}

async function askHistory(ask: AskProvider, type: string): Promise<Finding> {
  const inputs = Array.from({ length: 100 }, (_, index) => ({ id: String(index + 1) }))
  const read = { inputs, properties: ['probe_key'], propertiesWithHistory: ['probe_key'] }
  const { status, body } = await ask('POST', `${objects}/${type}/batch/read`, read)
  return {
    question: 'May a batch read of 100 ask for the history?',
    answer: status < 300 ? 'yes' : `no, ${refusal({ status, body })}`,
    evidence: status < 300 ? `status ${status}` : said(body),
  }
}

async function askContacts(ask: AskProvider, traces: Traces, chance: string): Promise<Finding[]> {
  const address = (part: string) => `${part}-${chance}@tributary-probe.example`
  const first = await makeRecord(ask, traces, 'contacts', {
    email: address('first'),
    hs_additional_emails: address('other'),
  })
  const second = await makeRecord(ask, traces, 'contacts', { email: address('second') })
  const company = await makeRecord(ask, traces, 'companies', { name: `tributary_probe_${chance}` })
  const found = await ask('POST', `${objects}/contacts/batch/read`, {
    idProperty: 'email',
    properties: ['email'],
    inputs: [{ id: address('other') }],
  })
  const isFound = listAt(found.body, 'results').length > 0
  const additional: Finding = {
    question: 'Does a batch read by email find a contact by an additional address?',
    answer: first === null ? 'not seen' : isFound ? 'yes' : 'no',
    evidence: first === null ? 'no contact could be made' : `status ${found.status}`,
  }
  return [additional, await askMerged(ask, traces, [first, second, company])]
}

async function askMerged(
  ask: AskProvider,
  traces: Traces,
  [first, second, company]: readonly (string | null | undefined)[],
): Promise<Finding> {
  const question = 'May a batch associate by the id of a contact that was merged away?'
  if (!first || !second || !company) return { question, answer: 'not seen', evidence: 'records were refused' }
  const merged = await ask('POST', `${objects}/contacts/merge`, {
    primaryObjectId: first,
    objectIdToMerge: second,
  })
  if (merged.status >= 300) return { question, answer: 'not seen', evidence: `merging: ${refusal(merged)}` }
  // A merge makes a record with an id of its own.
  traces.records.push({ type: 'contacts', id: String(at(merged.body, 'id')) })
  const tied = await ask('POST', '/crm/associations/2026-09/contacts/companies/batch/associate/default', {
    inputs: [{ from: { id: second }, to: { id: company } }],
  })
  const errors = listAt(tied.body, 'errors').length
  return {
    question,
    answer: tied.status < 300 && errors === 0 ? 'yes' : 'no',
    evidence: `${refusal(tied)}, ${errors} errors`,
  }
}
