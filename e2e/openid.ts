import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type OpenIdAccount = { email: string; isVerified: boolean; name: string; picture?: string }

/** A real OpenID provider on its own port, where people log in by subject alone. */
export type OpenId = {
  issuer: string
  clientId: string
  clientSecret: string
  /** By subject. */
  accounts: Map<string, OpenIdAccount>
  /** The queries of the authorization requests received so far. */
  authorizations: URLSearchParams[]
  /** Every token that was issued: access, ID and refresh. */
  issued: string[]
  /** How a forger on the network changes the next authorization requests. */
  tamper: ((query: URLSearchParams) => void) | null
  /** The redirects held back so far; null lets browsers through. */
  held: string[] | null
  /** Before this call it answers 503, like a provider that is down. */
  begin(redirectUri: string): void
  close(): Promise<void>
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'

export async function openOpenId(): Promise<OpenId> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (handle === null) return void response.writeHead(503).end()
    if (url.pathname === '/picture.svg') {
      return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture)
    }
    if (url.pathname === '/auth') {
      openId.authorizations.push(new URLSearchParams(url.searchParams))
      openId.tamper?.(url.searchParams)
      request.url = `${url.pathname}${url.search}`
    }
    keepBack(openId, response)
    handle(request, response)
  })
  await listen(server)
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const openId: OpenId = {
    issuer,
    clientId: 'tributary',
    clientSecret: 'a-secret-of-the-test',
    accounts: new Map(),
    authorizations: [],
    issued: [],
    tamper: null,
    held: null,
    begin(redirectUri) {
      handle = createProvider(openId, redirectUri).callback()
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return openId
}

/** Shows the browser a page of ours instead of redirecting it with its code. */
function keepBack(openId: OpenId, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (status: number) => {
    const location = String(response.getHeader('location') ?? '')
    if (openId.held === null || !location.includes('code=')) return writeHead(status)
    openId.held.push(location)
    response.removeHeader('location')
    return writeHead(200)
  }
}

function createProvider(openId: OpenId, redirectUri: string): Provider {
  const { issuer, clientId, clientSecret, accounts } = openId
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const provider = new Provider(issuer, {
    clients: [client],
    issueRefreshToken: () => true,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    pkce: { required: () => true },
    cookies: { keys: ['a-key-of-the-test'] },
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: () => {
        const account = accounts.get(subject)
        return {
          sub: subject,
          email: account?.email,
          email_verified: account?.isVerified,
          name: account?.name,
          picture: account?.picture,
        }
      },
    }),
  })
  provider.on('grant.success', ({ body }) => {
    const { access_token: access, id_token: id, refresh_token: refresh } = Object(body)
    openId.issued.push(access, id, refresh)
  })
  return provider
}

function listen(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done()))
}
