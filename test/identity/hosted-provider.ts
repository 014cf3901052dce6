import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { origin, type TestBrowser } from '../api/test-app.ts'

/** What the provider says of a person: in the ID token, and in the user info. */
export type Said = { token: Record<string, unknown>; info: Record<string, unknown> }

/** A real OpenID provider. It signs in the person that the test sets, without a login page. */
export type HostedProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The person who logs in next, and what is said of them. */
  person: { subject: string } & Said
  /** The queries of the authorization requests received so far. */
  authorizations: URLSearchParams[]
  /** Replaces the answer to a call of the user info. */
  userInfo: ((response: ServerResponse) => void) | null
  /** Whether the discovery names a user info. */
  hasUserInfo: boolean
  handle(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

const claims = ['email', 'email_verified', 'name', 'picture', 'xms_edov']

/** Without an issuer it has its own address on this machine; with one, the caller brings requests to `handle`. */
export async function openHostedProvider(
  redirectUri = `${origin}/api/identity/callback/oidc`,
  issuer?: string,
): Promise<HostedProvider> {
  const server = createServer((request, response) => hosted.handle(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const hosted: HostedProvider = {
    issuer: issuer ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'tributary',
    clientSecret: 'a-secret-of-the-test',
    person: { subject: 'kim', token: {}, info: {} },
    authorizations: [],
    userInfo: null,
    hasUserInfo: true,
    handle: (request, response) => void answer(request, response),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  const provider = createProvider(hosted, redirectUri)
  const callback = provider.callback()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', hosted.issuer)
    if (url.pathname === '/auth') hosted.authorizations.push(url.searchParams)
    if (url.pathname === '/me' && hosted.userInfo) return hosted.userInfo(response)
    if (url.pathname.startsWith('/log-in/')) {
      await provider.interactionFinished(request, response, { login: { accountId: hosted.person.subject } })
      return
    }
    await callback(request, response)
  }
  return hosted
}

function createProvider(hosted: HostedProvider, redirectUri: string): Provider {
  const provider = new Provider(hosted.issuer, {
    clients: [
      { client_id: hosted.clientId, client_secret: hosted.clientSecret, redirect_uris: [redirectUri] },
    ],
    claims: { openid: ['sub', ...claims] },
    // Many providers put claims of the user info into the ID token too, against the letter of the standard.
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile'],
    pkce: { required: () => true },
    cookies: { keys: ['a-key-of-the-test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/log-in/${uid}` },
    discovery: {},
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: (use) => ({ sub: subject, ...(use === 'id_token' ? hosted.person.token : hosted.person.info) }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.proxy = true
  provider.use(async (context, next) => {
    await next()
    if (!hosted.hasUserInfo && context.path.endsWith('/openid-configuration'))
      delete (context.body as Record<string, unknown>)['userinfo_endpoint']
  })
  return provider
}

/** Goes through a sign-in as a browser does. Returns the page at which it ends, and the error that the page shows. */
export async function signInAtProvider(
  browser: TestBrowser,
): Promise<{ path: string; error: string | null }> {
  const begun = await browser.post('/api/identity/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/dashboard',
    errorCallbackURL: '/sign-in',
  })
  const cookies = new Map<string, string>()
  let address = String(Object(begun.body)['url'])
  for (let hop = 0; !address.startsWith(origin); hop += 1) {
    if (hop > 10) throw new Error(`no way back from ${address}`)
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${answer.status} ${await answer.text()}`)
    address = new URL(next, address).href
  }
  const { pathname, search } = new URL(address)
  const back = await browser.get(`${pathname}${search}`)
  const end = new URL(back.headers.get('location') ?? '/', origin)
  return { path: end.pathname, error: end.searchParams.get('error') }
}
