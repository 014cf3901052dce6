import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Part of a page; inserted values are escaped. */
export type HtmlPage = HtmlEscapedString | Promise<HtmlEscapedString>

const style = html`<style>
  :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 3rem; overflow-wrap: anywhere; }
  .banner { margin: 0 -1rem; padding: 0.5rem 1rem; background: light-dark(#fff1d6, #4a3200); }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid light-dark(#c8c8c8, #555); padding: 0.3rem 0.6rem; text-align: start; vertical-align: top; }
  button { font: inherit; min-height: 2.5rem; padding: 0 1rem; }
  .actions { display: flex; gap: 1rem; }
</style>`

/** A whole page of the simulation: plain HTML, readable in light and dark, without script. */
export function page(title: string, content: HtmlPage): HtmlPage {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>${title} · Simulated HubSpot</title>
  ${style}
</head>
<body>
  <p class="banner"><strong>Simulated HubSpot.</strong> Nothing here is a real account.</p>
  <main>
    <h1>${title}</h1>
    ${content}
  </main>
</body>
</html>`
}
