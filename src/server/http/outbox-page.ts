import type { Deps } from '../deps.ts'
import { isSimulatedMode } from '../settings/simulated-mode.ts'
import { listOutbox, type OutboxMail } from '../store/accounts/outbox.ts'
import { outboxStyle } from './outbox-style.ts'
import type { Routes } from './serve.ts'

/** Where the mail of the simulated mode can be read; null where mail is real. */
export function outboxUrlOf(config: Deps['config']): string | null {
  return isSimulatedMode(config) ? '/outbox' : null
}

/** A page that shows the mail of the simulated mode. `src/web/public/outbox.js` adds mail that comes later. */
export function serveOutbox(hono: Routes, deps: Deps): void {
  const url = outboxUrlOf(deps.config)
  if (url === null) return
  hono.get(url, async (c) => c.html(renderOutbox(await listOutbox(deps.database), deps.now())))
}

const logo = `<svg width="28" height="28" viewBox="0 0 32 32" fill="none" stroke-width="3.5" stroke-linecap="round" aria-hidden="true">
<rect width="32" height="32" rx="8" fill="#0b7285"/><path d="M8 7c0 8 8 7 8 14v5" stroke="#fff"/><path d="M24 7c0 8-8 7-8 14" stroke="#66d9e8"/></svg>`

function renderOutbox(mails: OutboxMail[], now: Date): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Outbox · Tributary</title>
<script src="/first-paint.js"></script><script src="/outbox.js" defer></script><style>${outboxStyle}</style></head>
<body><p class="strip">Simulated: no mail leaves this machine</p>
<header><a class="brand" href="/">${logo}Tributary</a><a class="back" id="back" href="/">Back to Tributary</a></header>
<main><h1>Outbox</h1><p class="dimmed">Mail to people comes here. The newest mail is at the top, and new mail appears by itself.</p>
<div id="mails" aria-live="polite">${mails.map((mail) => renderMail(mail, now)).join('\n')}</div>
<p class="none">No mail yet.</p></main></body></html>`
}

const instantFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const justNowSeconds = 60

function renderMail(mail: OutboxMail, now: Date): string {
  const { id, recipient, subject, body, link, createdAt } = mail
  const isNew = now.getTime() - createdAt.getTime() < justNowSeconds * 1_000
  const sent = isNew ? 'just now' : `${instantFormat.format(createdAt)} UTC`
  return `<article data-mail="${id}"><h2>${escapeHtml(subject)}</h2>
<p class="dimmed">To ${escapeHtml(recipient)}, <time datetime="${createdAt.toISOString()}"${isNew ? ' class="new"' : ''}>${sent}</time></p>
<p class="text">${escapeHtml(body)}</p>${link === null ? '' : renderLink(escapeHtml(link), link)}</article>`
}

/** The address itself is for those who open it in another browser. */
function renderLink(escaped: string, link: string): string {
  return `<p><a class="button" href="${escaped}">${actionOf(link)}</a></p>
<details><summary>Address of this link</summary><code>${escaped}</code></details>`
}

/** What a link does, by a part of its address; the first that fits. */
const actions: readonly [part: string, action: string][] = [
  ['/verify-email', 'Verify your email address'],
  ['/reset-password', 'Choose a new password'],
  ['confirmEmail=', 'Confirm'],
  ['invitationId=', 'Open the invitation'],
  ['/sign-in', 'Sign in'],
]

function actionOf(link: string): string {
  return actions.find(([part]) => link.includes(part))?.[1] ?? 'Open in Tributary'
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
