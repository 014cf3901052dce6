import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import {
  type HostedProvider,
  openHostedProvider,
  type Said,
  signInAtProvider,
} from '#test/identity/hosted-provider.ts'

let provider: HostedProvider
let test: TestApp
beforeAll(async () => {
  provider = await openHostedProvider()
  test = await openTestApp({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_TRUSTED_DOMAINS: 'Trusted.example, bücher.example',
  })
})
afterAll(async () => {
  await test?.close()
  await provider?.close()
})
beforeEach(() => {
  provider.userInfo = null
  provider.hasUserInfo = true
})

let people = 0

/** Signs a new person in, of whom the provider says this; returns the address that we believe, or the error. */
async function signIn(said: Said): Promise<string | null> {
  provider.person = { subject: `person-${++people}`, ...said }
  const browser = test.newBrowser()
  const end = await signInAtProvider(browser)
  const user = await browser.get('/api/auth/current-user')
  expect(user.status).toBe(end.error === null ? 200 : 401)
  return end.error ?? String(Object(user.body)['email'])
}

const refused = 'email_not_verified'
let addresses = 0
const someone = (domain = 'harbour.example') => `kim-${++addresses}@${domain}`

describe('an address of the hosted provider', () => {
  it.each([
    ['Google, Auth0: true in the ID token', true, {}, true],
    ['Amazon Cognito: the text true', 'true', {}, true],
    ['Keycloak: false in the ID token', false, {}, false],
    ['the text false', 'false', {}, false],
    ['a value that the standard does not know', 1, {}, false],
    ['false in the ID token and true in the user info', false, { email_verified: true }, false],
    ['Okta: true in the user info alone', undefined, { email_verified: true }, true],
    ['false in the user info alone', undefined, { email_verified: false }, false],
    ['nothing anywhere', undefined, {}, false],
    ['null in the ID token and nothing in the user info', null, {}, false],
  ])('%s', async (_, verified, info, isTaken) => {
    const email = someone()
    expect(await signIn({ token: { email, email_verified: verified }, info: { email, ...info } })).toBe(
      isTaken ? email : refused,
    )
  })

  it.each([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['yes', false],
  ])('Entra ID says xms_edov %j and nothing else', async (owned, isTaken) => {
    const email = someone()
    expect(await signIn({ token: { email, xms_edov: owned }, info: { email } })).toBe(
      isTaken ? email : refused,
    )
  })

  it('xms_edov has no say against a false, and its own no stands in a trusted domain too', async () => {
    const email = someone('trusted.example')
    expect(await signIn({ token: { email, xms_edov: true, email_verified: false }, info: {} })).toBe(refused)
    expect(await signIn({ token: { email, xms_edov: false }, info: {} })).toBe(refused)
  })

  it.each([
    ['trusted.example', true],
    ['TRUSTED.Example', true],
    ['sub.trusted.example', false],
    ['nottrusted.example', false],
    ['trusted.example.evil.example', false],
    ['bücher.example', true],
    ['xn--bcher-kva.example', true],
    ['b\u00fccher.example.', true],
  ])('a provider that says nothing is believed about trusted domains only: %s', async (domain, isTaken) => {
    const email = someone(domain)
    const end = await signIn({ token: { email }, info: { email } })
    expect(end === refused).toBe(!isTaken)
    if (isTaken) expect(end).toMatch(/^kim-\d+@(trusted|xn--bcher-kva)\.example$/)
    expect(await signIn({ token: { email: someone(domain), email_verified: false }, info: {} })).toBe(refused)
  })

  it('is the one that the statement stands beside', async () => {
    const [told, other] = [someone(), someone()]
    const end = await signIn({ token: { email: other }, info: { email: told, email_verified: true } })
    expect(end).toBe(told)
    const lone = someone()
    expect(await signIn({ token: { email_verified: true }, info: { email: lone } })).toBe(lone)
  })

  it('is not believed by a user info about another person, or one that fails', async () => {
    const email = someone('trusted.example')
    const bodies = [
      () => ({ status: 200, body: JSON.stringify({ sub: 'somebody-else', email, email_verified: true }) }),
      () => ({ status: 200, body: JSON.stringify({ email, email_verified: true }) }),
      () => ({ status: 500, body: '' }),
      () => ({ status: 200, body: '<html>' }),
    ]
    for (const made of bodies) {
      provider.userInfo = (response) => {
        const { status, body } = made()
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      }
      expect(await signIn({ token: { email }, info: {} })).not.toBe(email)
    }
  })

  it('needs no user info where the provider has none', async () => {
    provider.hasUserInfo = false
    const email = someone('trusted.example')
    expect(await signIn({ token: { email }, info: {} })).toBe(email)
  })
})

it('knows a person by issuer and subject, and follows the address that the provider names later', async () => {
  const [email, later, taken] = [someone(), someone(), someone()]
  await signIn({ token: { email: taken, email_verified: true }, info: {} })
  const again = async (named: string, isVerified = true) => {
    provider.person = { subject: 'stays', token: { email: named, email_verified: isVerified }, info: {} }
    const browser = test.newBrowser()
    const { error } = await signInAtProvider(browser)
    if (error !== null) return error
    const { id, email: kept } = Object((await browser.get('/api/auth/current-user')).body)
    return { id, email: kept }
  }
  const first = Object(await again(email))
  expect(first).toMatchObject({ email })
  expect(await again(later.toUpperCase())).toEqual({ ...first, email: later })
  expect(await test.mailTo(email)).toMatchObject({ subject: 'Your email address was changed' })
  expect(await again(someone(), false)).toBe(refused)
  // It is the address of another account.
  expect(await again(taken)).toEqual({ ...first, email: later })
})

it('opens no account that another subject or a password began, whatever address the provider vouches for', async () => {
  const email = someone()
  expect(await signIn({ token: { email, email_verified: true }, info: {} })).toBe(email)
  expect(await signIn({ token: { email, email_verified: true }, info: {} })).toBe('account_not_linked')
  const byPassword = 'pat@by-password.example'
  await test.signedIn(byPassword, 'By Password')
  expect(await signIn({ token: { email: byPassword, email_verified: true }, info: {} })).toBe(
    'account_not_linked',
  )
})
