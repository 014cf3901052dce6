import { html } from 'hono/html'
import type { Portal } from '../entities.ts'
import { type HtmlPage, page } from '../pages/layout.ts'

/** The page where a person chooses an account and allows or denies the app. */
export function consentPage(portals: readonly Portal[], asked: AuthorizeRequest): HtmlPage {
  return page(
    'Connect an app',
    html`<p>The app <strong>${asked.clientId}</strong> wants to connect to your HubSpot account. You will go on to ${new URL(asked.redirectUri).host}.</p>
    <form method="post" action="/oauth/authorize">
      ${hiddenFields(asked)}
      <fieldset>
        <legend>Choose an account</legend>
        ${portals.map((portal, at) => portalChoice(portal, at === 0))}
      </fieldset>
      <h2>This app asks for</h2>
      ${scopeList(asked.required)}
      ${asked.optional.length === 0 ? '' : html`<h2>And, where the account's plan has it, for</h2>${scopeList(asked.optional)}`}
      <p class="actions">
        <button type="submit" name="decision" value="allow">Connect app</button>
        <button type="submit" name="decision" value="deny">Deny</button>
      </p>
    </form>`,
  )
}

/** Shows why a request is refused, instead of redirecting it. */
export function refusalPage(reason: string): HtmlPage {
  return page('This app could not be connected', html`<p role="alert">${reason}</p>`)
}

function portalChoice(portal: Portal, isChosen: boolean): HtmlPage {
  const choice = `portal-${portal.hubId}`
  return html`<p>
    <input type="radio" name="hub_id" id="${choice}" value="${portal.hubId}" ${isChosen ? 'checked' : ''} required />
    <label for="${choice}">${portal.name} <small>${portal.domain}, ${portal.hubId}</small></label>
  </p>`
}

function hiddenFields(asked: AuthorizeRequest): HtmlPage[] {
  const fields = {
    client_id: asked.clientId,
    redirect_uri: asked.redirectUri,
    scope: asked.required.join(' '),
    optional_scope: asked.optional.join(' '),
    state: asked.state,
    code_challenge: asked.codeChallenge,
  }
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
}

function scopeList(scopes: readonly string[]): HtmlPage {
  return html`<ul>${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`
}

/** The request of an app for the consent page. */
export type AuthorizeRequest = {
  readonly clientId: string
  readonly redirectUri: string
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly state: string
  readonly codeChallenge: string
}
