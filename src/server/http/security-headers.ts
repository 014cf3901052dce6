/**
 * Scripts load only from this origin and never inline. Styles may be inline, because the widgets set them on
 * elements.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** This opener policy lets the consent popup of the provider report back to our window. */
const otherHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const yearSeconds = 31_536_000

/**
 * The headers of every answer. Under https, browsers are told to use https from then on. Pictures may load from
 * any host, because organizations and hosted identity providers choose where theirs are stored.
 */
export function securityHeadersOf({
  publicUrl,
  oidc,
}: {
  publicUrl: string
  oidc: { issuer: string } | null
}): Readonly<Record<string, string>> {
  const issuer = oidc === null ? '' : ` ${new URL(oidc.issuer).origin}`
  return {
    'content-security-policy': [...policy, `img-src 'self' data: https:${issuer}`].join('; '),
    ...otherHeaders,
    ...(publicUrl.startsWith('https://') && { 'strict-transport-security': `max-age=${yearSeconds}` }),
  }
}
