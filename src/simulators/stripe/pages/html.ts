/** Text that is HTML already; everything else is escaped when it is put into a page. */
export type Html = { readonly markup: string }

type Value = Html | string | number | readonly Html[]

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Writes HTML with every value escaped, unless it was written by this function itself. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  const markup = texts.reduce((before, text, index) => before + markupOf(values[index - 1]) + text)
  return { markup }
}

/** A whole page, marked as simulated. No script runs in it. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{font:14px sans-serif;margin:2rem}th{text-align:left;vertical-align:top;padding-right:1rem}
.simulated{background:#ffe9b0;padding:.5rem 1rem}</style></head>
<body><p class="simulated" role="note">This is a simulated Stripe account. Nothing here is real.</p>
<h1>${title}</h1>${body}</body>
</html>`.markup
}

function markupOf(value: Value | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number')
    return String(value).replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
  return 'markup' in value ? value.markup : value.map((one) => one.markup).join('')
}
