import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { askToken, codeIn, connect, consent, install, openBench, starterHubId } from '../test-client.ts'

const details = '/account-info/2026-09/details'

describe('the consent page', () => {
  const query = new URLSearchParams({
    client_id: 'tributary-demo',
    redirect_uri: 'http://localhost:3000/callback',
    scope: 'crm.objects.contacts.read',
    state: '"><script>',
  })

  it('lists scopes, offers every portal and escapes what it was given', async () => {
    const { status, body } = await openBench().send('GET', `/oauth/authorize?${query}`)
    expect(status).toBe(200)
    expect(body).toContain('crm.objects.contacts.read')
    expect(body).toContain('Harbour Demo (Enterprise)')
    expect(body).toContain('Quay Starter (no custom objects)')
    expect(body).toContain('Jetty Works (no app may create objects)')
    expect(body).not.toContain('<script>')
  })

  it.each([
    { client_id: 'somebody-else' },
    { redirect_uri: 'https://attacker.example/callback' },
    { redirect_uri: 'http://localhost.attacker.example/callback' },
    { scope: '' },
  ])('shows an error and redirects nowhere for %o', async (fields) => {
    const answer = await consent(openBench(), fields)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  it('matches registered redirect addresses exactly', async () => {
    const bench = openBench({ redirectUris: ['http://localhost:3000/callback'] })
    expect((await consent(bench)).status).toBe(302)
    expect((await consent(bench, { redirect_uri: 'http://localhost:3000/callback/' })).status).toBe(400)
  })

  it('tells the app when the person denies', async () => {
    const answer = await consent(openBench(), { decision: 'deny' })
    const location = new URL(answer.headers.get('location') ?? '')
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
    })
  })

  it('refuses an account whose plan lacks a required scope', async () => {
    const fields = { hub_id: String(starterHubId), scope: 'crm.schemas.custom.write' }
    const answer = await consent(openBench(), fields)
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('have access to some HubSpot features')
  })
})

describe('the exchange of a code', () => {
  it('answers with tokens, the portal and the granted scopes', async () => {
    const bench = openBench()
    const code = codeIn(await consent(bench))
    const { status, body } = await askToken(bench, { grant_type: 'authorization_code', code })
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 1800, hub_id: 24180001 })
    expect(body.scopes).toEqual(expect.arrayContaining(['oauth', 'crm.schemas.custom.write']))
  })

  it('leaves out optional scopes the plan does not have', async () => {
    const { scopes } = await install(openBench(), starterHubId)
    expect(scopes).toContain('crm.objects.companies.write')
    expect(scopes.filter((scope) => scope.includes('custom'))).toEqual([])
  })

  it('takes a code once', async () => {
    const bench = openBench()
    const code = codeIn(await consent(bench))
    await askToken(bench, { grant_type: 'authorization_code', code })
    const again = await askToken(bench, { grant_type: 'authorization_code', code })
    expect(again.status).toBe(400)
    expect(again.body).toMatchObject({ error: 'invalid_grant', status: 'BAD_AUTH_CODE' })
  })

  it('refuses a code after 60 s, another redirect address and a wrong secret', async () => {
    const bench = openBench()
    const code = codeIn(await consent(bench))
    const exchange = { grant_type: 'authorization_code', code }
    const elsewhere = await askToken(bench, { ...exchange, redirect_uri: 'http://localhost:3000/' })
    expect(elsewhere.body.status).toBe('MISMATCH_REDIRECT_URI_AUTH_CODE')
    expect((await askToken(bench, { ...exchange, client_secret: 'guess' })).body.error).toBe('invalid_client')
    bench.clock.now += 60_000
    expect((await askToken(bench, exchange)).body.status).toBe('EXPIRED_AUTH_CODE')
  })

  it('holds the app to its code challenge', async () => {
    const bench = openBench()
    const codeChallenge = createHash('sha256').update('verifier').digest('base64url')
    const code = codeIn(await consent(bench, { code_challenge: codeChallenge }))
    const exchange = { grant_type: 'authorization_code', code }
    expect((await askToken(bench, exchange)).status).toBe(400)
    expect((await askToken(bench, { ...exchange, code_verifier: 'verifier' })).status).toBe(200)
  })
})

describe('the life of tokens', () => {
  it('ends an access token after 30 minutes of the clock, and a refresh gives a new one', async () => {
    const bench = openBench()
    const { accessToken, refreshToken } = await install(bench)
    bench.clock.now += 1_799_000
    expect((await bench.send('GET', details, undefined, accessToken)).status).toBe(200)
    bench.clock.now += 1_000
    const expired = await bench.send('GET', details, undefined, accessToken)
    expect(expired.status).toBe(401)
    expect(expired.body).toMatchObject({ status: 'error', category: 'EXPIRED_AUTHENTICATION' })
    expect(expired.body.correlationId).toMatch(/^[0-9a-f-]{36}$/)
    const { body } = await askToken(bench, { grant_type: 'refresh_token', refresh_token: refreshToken })
    expect(body.refresh_token).toBe(refreshToken)
    expect((await bench.send('GET', details, undefined, body.access_token)).status).toBe(200)
  })

  it('refuses an unknown token', async () => {
    const { status, body } = await openBench().send('GET', details, undefined, 'made-up')
    expect([status, body.category]).toEqual([401, 'INVALID_AUTHENTICATION'])
  })

  it('lets only the first of two refreshes win when tokens rotate', async () => {
    const bench = openBench()
    const { refreshToken } = await install(bench)
    await bench.send('POST', '/_control/settings', { hubId: 24180001, rotateRefreshTokens: true })
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
    expect((await askToken(bench, fields)).body.refresh_token).not.toBe(refreshToken)
    expect((await askToken(bench, fields)).body).toMatchObject({
      error: 'invalid_grant',
      status: 'BAD_REFRESH_TOKEN',
    })
  })

  it('revokes the refresh token only, and an uninstall ends both', async () => {
    const bench = openBench()
    const { accessToken, refreshToken } = await install(bench)
    const app = { client_id: 'tributary-demo', client_secret: 'tributary-demo-secret' }
    await bench.form('/oauth/2026-09/token/revoke', { ...app, token: refreshToken })
    const refused = await askToken(bench, { grant_type: 'refresh_token', refresh_token: refreshToken })
    expect(refused.body.status).toBe('BAD_REFRESH_TOKEN')
    expect((await bench.send('GET', details, undefined, accessToken)).status).toBe(200)
    const uninstalled = await bench.send(
      'DELETE',
      '/appinstalls/2026-09/external-install',
      undefined,
      accessToken,
    )
    expect(uninstalled.status).toBe(204)
    expect((await bench.send('GET', details, undefined, accessToken)).body.category).toBe(
      'INVALID_AUTHENTICATION',
    )
  })

  it('introspects known tokens and calls unknown ones inactive with 200', async () => {
    const bench = openBench()
    const { accessToken } = await install(bench)
    const app = { client_id: 'tributary-demo', client_secret: 'tributary-demo-secret' }
    const known = await bench.form('/oauth/2026-09/token/introspect', { ...app, token: accessToken })
    expect(known.body).toMatchObject({ active: true, hub_id: 24180001, hub_domain: 'harbour-demo.example' })
    const unknown = await bench.form('/oauth/2026-09/token/introspect', { ...app, token: 'made-up' })
    expect([unknown.status, unknown.body]).toEqual([200, { active: false }])
  })

  it('names the account, its currency and the domain of its pages', async () => {
    const app = await connect({ appUrl: 'http://localhost:4400' })
    const { body } = await app.call('GET', details)
    expect(body).toMatchObject({ portalId: 24180001, uiDomain: 'localhost:4400', companyCurrency: 'USD' })
  })
})
