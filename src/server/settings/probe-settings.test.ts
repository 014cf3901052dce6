import { describe, expect, it } from 'vitest'
import { readProbeSettings } from './probe-settings.ts'

describe('readProbeSettings', () => {
  it('asks no live account unless that is said', () => {
    const environment = { PROBE_STRIPE_KEY: 'rk_live_hidden', STRIPE_API_URL: 'http://localhost:1/' }
    expect(() => readProbeSettings(environment, false)).toThrow(/^PROBE_STRIPE_KEY: is a live key/)
    expect(readProbeSettings(environment, true)).toEqual({
      stripe: { apiUrl: 'http://localhost:1', key: 'rk_live_hidden' },
      hubspot: null,
    })
  })

  it.each([
    ['no key', {}],
    ['an organization key', { PROBE_STRIPE_KEY: 'sk_org_hidden' }],
    ['a publishable key', { PROBE_STRIPE_KEY: 'pk_test_hidden' }],
  ])('takes %s for a mistake, without its value', (_, environment) => {
    expect(() => readProbeSettings(environment, true)).toThrow(/^PROBE_STRIPE_KEY.*: /)
    expect(() => readProbeSettings(environment, true)).not.toThrow(/hidden/)
  })
})
