import { type Context, Hono } from 'hono'
import type { SimulatorEnv } from '../caller.ts'
import type { SimulatorSettings } from '../options.ts'
import { findPortal, listPortals } from '../portals.ts'
import type { World } from '../world.ts'
import { type AuthorizeRequest, consentPage, refusalPage } from './consent-page.ts'
import { grantedScopes, isAllowed, readScopes } from './scopes.ts'
import { issueCode } from './tokens.ts'

/** The consent page and its two buttons. An untrusted request is never redirected. Source: OAuth guide. */
export function consentRoutes(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.get('/oauth/authorize', (c) => {
    const asked = readRequest((name) => c.req.query(name))
    const problem = problemWith(world, asked)
    return problem === undefined
      ? c.html(consentPage(listPortals(world), asked))
      : c.html(refusalPage(problem), 400)
  })
  app.post('/oauth/authorize', async (c) => {
    const form = await c.req.parseBody()
    const field = (name: string) => {
      const value = form[name]
      return typeof value === 'string' ? value : undefined
    }
    const asked = readRequest(field)
    const problem = problemWith(world, asked)
    if (problem !== undefined) return c.html(refusalPage(problem), 400)
    if (field('decision') !== 'allow') return c.redirect(deniedAddress(asked))
    return grant(c, world, asked, field('hub_id') ?? '')
  })
  return app
}

function grant(
  c: Context<SimulatorEnv>,
  world: World,
  asked: AuthorizeRequest,
  hubId: string,
): Response | Promise<Response> {
  const portal = findPortal(world, hubId)
  if (portal === undefined) return c.html(refusalPage('Choose an account to connect.'), 400)
  const allowed = world.appFiles.get('app')?.allowedAccounts ?? null
  if (allowed !== null && !allowed.includes(portal.hubId)) {
    return c.html(refusalPage('This app may not be installed in this account.'), 403)
  }
  if (asked.required.some((scope) => !isAllowed(portal, scope))) {
    const refusal = "This account doesn't have access to some HubSpot features that are required by this app."
    return c.html(refusalPage(refusal), 403)
  }
  const { code } = issueCode(world, {
    hubId: portal.hubId,
    redirectUri: asked.redirectUri,
    scopes: grantedScopes(portal, asked.required, asked.optional),
    codeChallenge: asked.codeChallenge === '' ? null : asked.codeChallenge,
  })
  return c.redirect(withQuery(asked, { code }))
}

function readRequest(field: (name: string) => string | undefined): AuthorizeRequest {
  return {
    clientId: field('client_id') ?? '',
    redirectUri: field('redirect_uri') ?? '',
    required: readScopes(field('scope')),
    optional: readScopes(field('optional_scope')),
    state: field('state') ?? '',
    codeChallenge: field('code_challenge') ?? '',
  }
}

function problemWith(world: World, asked: AuthorizeRequest): string | undefined {
  const { settings } = world
  if (asked.clientId !== settings.clientId) return 'The client ID of this app is unknown.'
  if (!isAllowedRedirect(settings, asked.redirectUri)) {
    return 'The redirect URL of this request does not match one that the app has registered.'
  }
  if (asked.required.length === 0) return 'The request names no scope.'
  const file = world.appFiles.get('app')
  const isAsInFile =
    isSplit(asked.required, file?.requiredScopes) && isSplit(asked.optional, file?.optionalScopes)
  return isAsInFile ? undefined : 'The scopes of this request are not those that the app has registered.'
}

/** Both lists have to be those of the app's file; HubSpot adds `oauth` by itself. */
function isSplit(asked: readonly string[], named: readonly string[] | null | undefined): boolean {
  if (named == null) return true
  const listed = (scopes: readonly string[]) => JSON.stringify([...new Set(['oauth', ...scopes])].sort())
  return listed(asked) === listed(named)
}

/** An exact match with a registered address; without registered addresses, any path on this machine. */
function isAllowedRedirect(settings: SimulatorSettings, redirectUri: string): boolean {
  if (settings.redirectUris !== null) return settings.redirectUris.includes(redirectUri)
  const url = URL.parse(redirectUri)
  return url !== null && url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname)
}

function deniedAddress(asked: AuthorizeRequest): string {
  return withQuery(asked, { error: 'access_denied', error_description: 'The user denied the request' })
}

function withQuery(asked: AuthorizeRequest, fields: Readonly<Record<string, string>>): string {
  const url = new URL(asked.redirectUri)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  if (asked.state !== '') url.searchParams.set('state', asked.state)
  return url.toString()
}
