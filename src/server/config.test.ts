import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './settings/config-error.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const simulated = {
  SEAL_KEYS: `1:${key}`,
  DATABASE_URL: 'postgres://owner:secret@localhost:5432/tributary',
  HUBSPOT_API_URL: 'http://localhost:12112',
  HUBSPOT_APP_URL: 'http://localhost:12112',
  STRIPE_API_URL: 'http://localhost:12111',
}
const oidc = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'c',
  OIDC_CLIENT_SECRET: 's',
}
const tenant = '3aa4a235-b6e2-48d5-9195-7fcf05b459b0'
const live = {
  DATABASE_URL: simulated.DATABASE_URL,
  HUBSPOT_CLIENT_ID: 'client',
  HUBSPOT_CLIENT_SECRET: 'hidden',
  SEAL_KEYS: `1:${key}`,
  PUBLIC_URL: 'https://tributary.example/',
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'Tributary <tributary@harbour.example>',
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
    ['https://192.0.2.7', /reported to refuse redirect addresses with an IP.*host name/, false],
    ['https://[2001:db8::7]', /reported to refuse redirect addresses with an IP.*host name/, false],
    ['http://localhost:3000', null],
    ['https://tributary.example', null],
  ])('knows whether HubSpot will send people back to %s', (PUBLIC_URL, text, isRefused = true) => {
    const { hubspot, warnings } = readConfig({ ...live, PUBLIC_URL })
    if (text === null) expect([hubspot.redirectProblem, warnings]).toEqual([null, []])
    else {
      expect(hubspot.redirectProblem).toEqual({ isRefused, text: expect.stringMatching(text) })
      expect(warnings).toContain(`PUBLIC_URL: ${hubspot.redirectProblem?.text}`)
    }
    const { HUBSPOT_CLIENT_ID: _, HUBSPOT_CLIENT_SECRET: __, ...keysOnly } = { ...live, PUBLIC_URL }
    expect(readConfig({ ...keysOnly, PROVIDERS: 'live' }).hubspot.redirectProblem).toBeNull()
  })

  it.each([
    ['http://tributary.example', true],
    ['http://192.0.2.7:3000', true],
    ['http://localhost:3000', false],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]:3000', false],
    ['https://tributary.example', false],
  ])('warns at the start of passwords that travel unencrypted to %s: %s', (PUBLIC_URL, isOpen) => {
    const { HUBSPOT_CLIENT_ID: _, HUBSPOT_CLIENT_SECRET: __, ...keysOnly } = { ...live, PUBLIC_URL }
    const { warnings } = readConfig({ ...keysOnly, PROVIDERS: 'live' })
    expect(warnings).toEqual(
      isOpen
        ? [
            'PUBLIC_URL begins with http://, so passwords travel unencrypted: set one that begins with https://',
          ]
        : [],
    )
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
    ['OIDC_ISSUER', { ...simulated, ...oidc, OIDC_ISSUER: 'http://login.example' }],
    ['OIDC_TRUSTED_DOMAINS', { ...simulated, ...oidc, OIDC_TRUSTED_DOMAINS: 'one.example, *.two.example' }],
    ['OIDC_TRUSTED_DOMAINS', { ...simulated, ...oidc, OIDC_TRUSTED_DOMAINS: 'kim@one.example' }],
    ['OIDC_TRUSTED_DOMAINS', { ...simulated, OIDC_TRUSTED_DOMAINS: 'one.example' }],
    ['DATABASE_URL', { ...simulated, DATABASE_URL: 'postgres://owner:hidden#x@localhost/tributary' }],
    ['DATABASE_URL', { ...simulated, DATABASE_URL: 'postgres://o:hidden@h/x?sslrootcert=/none/such' }],
    ['PUBLIC_URL', { ...simulated, PUBLIC_URL: 'https://harbour.example/tributary' }],
    ['PUBLIC_URL', { ...simulated, PUBLIC_URL: 'https://harbour.example/?a=b' }],
    ['PUBLIC_URL', { ...simulated, PUBLIC_URL: 'https://kim:hidden@harbour.example' }],
    ['PUBLIC_URL', { ...simulated, PUBLIC_URL: 'harbour.example' }],
    ['MAIL_FROM', { ...live, MAIL_FROM: undefined }],
    ['MAIL_FROM', { ...live, MAIL_FROM: 'Tributary' }],
    ['SMTP_URL', { ...live, SMTP_URL: 'https://hidden@mail.example' }],
    ['HTTPS_PROXY', { ...simulated, HTTPS_PROXY: 'kim:hidden@proxy.example:3128' }],
    ['HTTPS_PROXY', { ...simulated, https_proxy: 'socks5://kim:hidden@proxy.example' }],
    ['HTTP_PROXY', { ...simulated, HTTP_PROXY: 'proxy.example' }],
    ['LOG_LEVEL', { ...simulated, LOG_LEVEL: 'loud' }],
    ['WORKER_CONCURRENCY', { ...simulated, WORKER_CONCURRENCY: '0' }],
    ['METRICS_PORT', { ...simulated, METRICS_PORT: '3000' }],
    ['SEAL_WITH', { ...simulated, SEAL_WITH: '2' }],
    ['HUBSPOT_WITHOUT_SCOPES', { ...live, HUBSPOT_WITHOUT_SCOPES: 'crm.objects.contacts.read' }],
    ['HUBSPOT_CLIENT_SECRET', { ...live, HUBSPOT_CLIENT_SECRET: undefined }],
    ['SEAL_KEYS', { ...live, SEAL_KEYS: undefined }],
    ['SEAL_KEYS', { ...simulated, SEAL_KEYS: undefined }],
    ['SMTP_URL', { ...simulated, STRIPE_API_URL: undefined }],
    ['SEAL_KEYS', { ...live, SEAL_KEYS: '1:c2hvcnQ=' }],
    ['PUBLIC_URL', { ...live, PUBLIC_URL: ' ' }],
    ['SMTP_URL', { ...live, SMTP_URL: undefined }],
    ['OIDC_CLIENT_ID', { ...live, OIDC_ISSUER: 'https://id.example' }],
    ['DATABASE_URL', { ...simulated, DATABASE_URL: 'postgres://owner:hidden%x@localhost/tributary' }],
    ['SMTP_URL', { ...live, SMTP_URL: 'smtps://kim:hidden%x@mail.example' }],
    ['HTTPS_PROXY', { ...simulated, HTTPS_PROXY: 'http://kim:hidden%x@proxy.example:3128' }],
    ['SEAL_KEYS', { ...simulated, SEAL_KEYS: `1:${key},1:${Buffer.alloc(32, 9).toString('base64')}` }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '0.0.0.0/0' }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '::/0' }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '10.0.0.0/7' }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '2000::/15' }],
    ['TRUSTED_PROXIES', { ...simulated, TRUSTED_PROXIES: '::ffff:0:0/96' }],
    ['OIDC_TRUSTED_DOMAINS', { ...simulated, ...oidc, OIDC_TRUSTED_DOMAINS: 'one.example,gmail.com' }],
    ['OIDC_TRUSTED_DOMAINS', { ...simulated, ...oidc, OIDC_TRUSTED_DOMAINS: 'Yahoo.co.uk' }],
    ['OPERATOR_EMAILS', { ...simulated, OPERATOR_EMAILS: 'kim@one.example;pat@one.example' }],
    ['OPERATOR_EMAILS', { ...simulated, OPERATOR_EMAILS: 'Kim <kim@one.example>' }],
  ])('names %s in one line when it is wrong, without its value', (name, environment) => {
    const reading = () => readConfig(environment)
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow(new RegExp(`${name}.*: `))
    expect(reading).not.toThrow(/hidden|c2hvcnQ|mysql:|\n/)
  })

  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'https://login.microsoftonline.com/consumers/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://login.microsoftonline.com/Common/v2.0/',
    `https://login.microsoftonline.com/${tenant}`,
    'https://login.microsoftonline.com/harbour.onmicrosoft.com/v2.0',
    'https://sts.windows.net/common',
  ])('refuses the shared issuer %s and names the address to enter', (issuer) => {
    const reading = () => readConfig({ ...simulated, ...oidc, OIDC_ISSUER: issuer })
    expect(reading).toThrow('OIDC_ISSUER: must name one tenant of Entra ID')
    expect(reading).toThrow('enter https://login.microsoftonline.com/TENANT-ID/v2.0')
  })

  it.each([
    `https://login.microsoftonline.com/${tenant}/v2.0`,
    `https://login.microsoftonline.us/${tenant.toUpperCase()}/v2.0/`,
    'https://login.example/common/v2.0',
  ])('takes the issuer %s', (issuer) => {
    expect(readConfig({ ...simulated, ...oidc, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
  })

  it('has the driver check the certificate of a database that is reached by TLS, without a warning', () => {
    const { databaseUrl } = readConfig({ ...simulated, DATABASE_URL: 'postgres://o:p@h/x?sslmode=require' })
    expect(new URL(databaseUrl).searchParams.get('sslmode')).toBe('verify-full')
  })

  it('lets calls to this machine past the proxy, and all of them where NO_PROXY says so', () => {
    const proxied = { ...simulated, HTTPS_PROXY: 'http://proxy.example:3128' }
    expect(readConfig(proxied).proxy).toEqual({
      https_proxy: 'http://proxy.example:3128',
      no_proxy: 'localhost,127.0.0.1,[::1]',
    })
    expect(readConfig({ ...simulated, http_proxy: 'http://proxy.example:3128' }).proxy).toMatchObject({
      http_proxy: 'http://proxy.example:3128',
      https_proxy: 'http://proxy.example:3128',
    })
    expect(readConfig({ ...proxied, NO_PROXY: '*' }).proxy).toBeNull()
    expect(readConfig(simulated).proxy).toBeNull()
  })

  it('takes ranges of proxies, and domains that are a tenant alone', () => {
    const ranges = '10.0.0.0/8, 172.16.0.0/12, 192.0.2.7, fd00::/16, ::ffff:10.0.0.0/104, ::1'
    const domains = 'one.example,harbour.onmicrosoft.com'
    const read = readConfig({ ...simulated, ...oidc, TRUSTED_PROXIES: ranges, OIDC_TRUSTED_DOMAINS: domains })
    expect([read.trustedProxies.join(', '), read.oidc?.trustedDomains.join()]).toEqual([ranges, domains])
  })
})
