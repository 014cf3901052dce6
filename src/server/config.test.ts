import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, readProbeSettings } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const simulated = {
  SEAL_KEYS: `1:${key}`,
  DATABASE_URL: 'postgres://owner:secret@localhost:5432/tributary',
  HUBSPOT_API_URL: 'http://localhost:12112',
  HUBSPOT_APP_URL: 'http://localhost:12112',
  STRIPE_API_URL: 'http://localhost:12111',
}
const live = {
  DATABASE_URL: simulated.DATABASE_URL,
  HUBSPOT_CLIENT_ID: 'client',
  HUBSPOT_CLIENT_SECRET: 'hidden',
  SEAL_KEYS: `1:${key}`,
  PUBLIC_URL: 'https://tributary.example/',
  SMTP_URL: 'smtp://mail.example:587',
}

describe('readConfig', () => {
  it('reads the simulated mode and says so', () => {
    const config = readConfig(simulated)
    expect(config.stripe.isSimulated && config.hubspot.isSimulated).toBe(true)
    expect(config.publicUrl).toBe('http://localhost:3000')
  })

  it('takes the real providers when HubSpot is named, and never the simulated ones in silence', () => {
    const config = readConfig(live)
    expect(config.hubspot).toMatchObject({ apiUrl: 'https://api.hubapi.com', isSimulated: false })
    expect(config.stripe).toMatchObject({
      apiUrl: 'https://api.stripe.com',
      isSimulated: false,
      demoKey: null,
    })
    expect(config.publicUrl).toBe('https://tributary.example')
  })

  it('needs no app where PROVIDERS says that they are real', () => {
    const { HUBSPOT_CLIENT_ID: _, HUBSPOT_CLIENT_SECRET: __, ...keysOnly } = live
    const config = readConfig({ ...keysOnly, PROVIDERS: 'live', STRIPE_API_URL: 'http://localhost:1' })
    expect(config.hubspot).toMatchObject({ clientId: null, clientSecret: null, isSimulated: false })
    expect(config.stripe).toMatchObject({ apiUrl: 'http://localhost:1', isSimulated: false, demoKey: null })
    expect(() => readConfig({ ...keysOnly, STRIPE_API_URL: 'http://localhost:1' })).toThrow(
      /^PROVIDERS: .*HUBSPOT_CLIENT_ID.*service keys/,
    )
  })

  it.each([
    ['http://tributary.example', /^HubSpot takes http only on localhost.*https:/],
    ['http://127.0.0.1:3000', /http:\/\/localhost:3000/],
    ['http://localhost:3000', null],
    ['https://tributary.example', null],
  ])('knows whether HubSpot will send people back to %s', (PUBLIC_URL, text) => {
    const { redirectProblem } = readConfig({ ...live, PUBLIC_URL }).hubspot
    if (text === null) expect(redirectProblem).toBeNull()
    else expect(redirectProblem).toMatch(text)
    const { HUBSPOT_CLIENT_ID: _, HUBSPOT_CLIENT_SECRET: __, ...keysOnly } = { ...live, PUBLIC_URL }
    expect(readConfig({ ...keysOnly, PROVIDERS: 'live' }).hubspot.redirectProblem).toBeNull()
  })

  it('asks HubSpot only for the scopes that the app names', () => {
    const all = readConfig(live).hubspot.scopes
    const without = { ...live, HUBSPOT_WITHOUT_SCOPES: 'crm.schemas.custom.write, crm.schemas.custom.read' }
    expect(readConfig(without).hubspot.scopes).toEqual({
      required: all.required,
      optional: all.optional.filter((scope) => !scope.startsWith('crm.schemas.custom.')),
    })
  })

  it.each([
    ['PROVIDERS', { ...live, PROVIDERS: 'real' }],
    ['PROVIDERS', { ...live, PROVIDERS: 'simulated' }],
    ['PUBLIC_URL', { ...live, PROVIDERS: 'live', PUBLIC_URL: undefined }],
    ['PROVIDERS', { ...simulated, HUBSPOT_API_URL: undefined }],
    ['DATABASE_URL', { ...simulated, DATABASE_URL: undefined }],
    ['DATABASE_URL', { ...simulated, DATABASE_URL: 'mysql://x' }],
    ['PORT', { ...simulated, PORT: '70000' }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '10.0.0.1, proxy.example' }],
    [
      'OIDC_ISSUER',
      {
        ...simulated,
        OIDC_ISSUER: 'http://login.example',
        OIDC_CLIENT_ID: 'c',
        OIDC_CLIENT_SECRET: 's',
      },
    ],
    ['HUBSPOT_WITHOUT_SCOPES', { ...live, HUBSPOT_WITHOUT_SCOPES: 'crm.objects.contacts.read' }],
    ['HUBSPOT_CLIENT_SECRET', { ...live, HUBSPOT_CLIENT_SECRET: undefined }],
    ['SEAL_KEYS', { ...live, SEAL_KEYS: undefined }],
    ['SEAL_KEYS', { ...simulated, SEAL_KEYS: undefined }],
    ['SMTP_URL', { ...simulated, STRIPE_API_URL: undefined }],
    ['SEAL_KEYS', { ...live, SEAL_KEYS: '1:c2hvcnQ=' }],
    ['PUBLIC_URL', { ...live, PUBLIC_URL: ' ' }],
    ['SMTP_URL', { ...live, SMTP_URL: undefined }],
    ['OIDC_CLIENT_ID', { ...live, OIDC_ISSUER: 'https://id.example' }],
  ])('names %s in one line when it is wrong, without its value', (name, environment) => {
    const reading = () => readConfig(environment)
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow(new RegExp(`${name}.*: `))
    expect(reading).not.toThrow(/hidden|c2hvcnQ|mysql:/)
  })
})

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
