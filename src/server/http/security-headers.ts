/**
 * What every answer carries. Scripts come from this origin alone and never inline; styles may be inline, since the
 * widgets set them on elements. The opener policy leaves the provider's consent popup its handle to us.
 */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const yearSeconds = 31_536_000

/** The headers for a product at this address; once it is reached by https, browsers keep to that. */
export function securityHeadersOf(publicUrl: string): Readonly<Record<string, string>> {
  if (!publicUrl.startsWith('https://')) return securityHeaders
  return { ...securityHeaders, 'strict-transport-security': `max-age=${yearSeconds}` }
}
