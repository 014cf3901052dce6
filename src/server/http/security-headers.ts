/** Scripts come from this origin alone and never inline; styles may be inline, since the widgets set them on elements. */
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

/** The opener policy leaves the provider's consent popup its handle to us. */
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
 * What every answer carries, of a product at this address; once it is reached by https, browsers keep to that. The pictures of
 * organizations, and of the people of a hosted identity provider, are kept wherever their owners like.
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
