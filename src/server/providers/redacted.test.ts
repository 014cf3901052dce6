import { describe, expect, it } from 'vitest'
import { errorOf } from './hubspot/hubspot-error.ts'
import { ProviderError } from './provider-error.ts'
import { redacted } from './redacted.ts'

const secrets = [
  'sk_live_51Nx8yQ2eZvKYlo2C',
  'rk_test_51Nx8yQ2eZvKYlo2C',
  'sk_test_****************1234',
  'whsec_9f8e7d6c5b4a3f2e1d0c',
  'pat-na1-11111111-2222-3333-4444-555555555555',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'CKPoqMGdMRIOAAEBQAAAAAAAAAAAAAgYvf0DIJ7B2AEyFD8q1vZ9nY3sQ0',
  'postgres://owner:hunter2@db.example/tributary',
]

describe("a provider's words", () => {
  it.each([
    ['The key sk_test_1234567890 is wrong', 'The key [removed] is wrong'],
    ['refresh token na1-01ab-23cd-45ef-67890123 is unknown', 'refresh token [removed] is unknown'],
    ['refresh token: 6f9619ff-8b86-d011-b42d-00cf4fc964ff', 'refresh token: [removed]'],
    ['got Authorization: Bearer abc.def', 'got Authorization: Bearer [removed]'],
    [`token ${'aZ9-_'.repeat(20)} expired`, 'token [removed] expired'],
    ...secrets.map((secret) => [`Invalid: ${secret}, try again`, 'Invalid: [removed], try again']),
  ])('%j are passed on without what could be a credential', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it.each([
    'Property "mrr" was not valid: 12.345678901234567890 has too many places',
    'Contact already exists. Existing ID: 24180001000001',
    'sub_1G6j4JP3lFLcQilnQ7tjQaOJ:2026-06-14T11:12:06Z:change is not unique',
    'correlation 90705d80-1f3e-441a-a77f-42b58d34f0a2',
    'The desk_number is missing, and the token has expired',
    'a_very_long_name_of_a_property_that_somebody_chose_once',
  ])('%j are passed on as they are', (text) => expect(redacted(text)).toBe(text))
})

it.each(secrets)('of words too long to be a message no half of %s is left', (secret) => {
  for (let length = 3_900; length <= 4_000; length += 7) {
    const told = redacted(`${'word '.repeat(1_000).slice(0, length)} ${secret} ${'word '.repeat(100)}`)
    expect(told.length).toBeLessThan(4_010)
    expect(told.replaceAll(/word|wor|wo|\bw\b/g, '').replaceAll('[removed]', '')).toMatch(
      /^[\s.]*(?:Invalid|postgres)?[\s.]*$/,
    )
  }
})

it.each(secrets)('no error of a provider repeats %s, wherever the provider put it', (secret) => {
  const packed = `Property values were not valid: [{"message":"got ${secret}","name":"mrr"}]`
  const answers = [
    { message: `refused ${secret}` },
    { message: packed },
    { message: 'refused', errors: [{ message: `got ${secret}`, context: { propertyName: ['mrr'] } }] },
  ]
  const asked = { method: 'GET', path: `/crm/${secret}` }
  for (const answer of answers) {
    for (const status of [400, 403, 404, 409]) {
      const error = errorOf(
        { status, answer: { ...answer, correlationId: secret }, isHubspots: true, retryAfterMs: undefined },
        asked,
      )
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(secret)
    }
  }
  expect(new ProviderError('rejected', `refused ${secret}`).message).not.toContain(secret)
})
