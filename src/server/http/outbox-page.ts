import type { Deps } from '../deps.ts'
import { isSimulatedMode } from '../settings/simulated-mode.ts'
import { listOutbox, type OutboxMail } from '../store/accounts/outbox.ts'
import type { Routes } from './serve.ts'

/** Where the mail of the simulated mode can be read; null where mail is real. */
export function outboxUrlOf(config: Deps['config']): string | null {
  return isSimulatedMode(config) ? '/outbox' : null
}

/** A plain page that shows the mail of the simulated mode. */
export function serveOutbox(hono: Routes, deps: Deps): void {
  const url = outboxUrlOf(deps.config)
  if (url === null) return
  hono.get(url, async (c) => c.html(renderOutbox(await listOutbox(deps.database))))
}

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
article{border:1px solid #8a949e;border-radius:8px;padding:1rem;margin:1rem 0}h2{font-size:1.1rem;margin:0}
p{margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere}small{opacity:.8}a{overflow-wrap:anywhere}`

function renderOutbox(mails: OutboxMail[]): string {
  const content = mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(renderMail).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbox</title><style>${style}</style></head>
<body><main><p><a href="/">Back to Tributary</a></p><h1>Outbox</h1><p>Mail of the simulated mode. With SMTP_URL set, it is sent instead.</p>
${content}</main></body></html>`
}

const instantFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

function renderMail(mail: OutboxMail): string {
  const link =
    mail.link === null ? '' : `<p><a href="${escapeHtml(mail.link)}">${escapeHtml(mail.link)}</a></p>`
  const sent = `To ${escapeHtml(mail.recipient)}, ${instantFormat.format(mail.createdAt)} UTC`
  return `<article><h2>${escapeHtml(mail.subject)}</h2><small>${sent}</small><p>${escapeHtml(mail.body)}</p>${link}</article>`
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
