/** RFC 5321, 4.5.3.1.3. */
export const emailMaxLength = 254

/** RFC 1035, 2.3.4, with the letters and digits of RFC 1123. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The host of an address in one spelling: lower case, punycode, no trailing dot. Null when there is no usable
 * host. 'Bob@BIGCORP.com.' gives 'bigcorp.com'.
 */
export function emailHost(email: string): string | null {
  if (email.length > emailMaxLength) return null
  const at = email.lastIndexOf('@')
  return at < 1 ? null : canonicalHost(email.slice(at + 1))
}

/**
 * The spelling of an address that is stored and compared: lower case, host as `emailHost` gives it; null for an
 * invalid address. Dots and tags before the @ stay, because each mail provider treats them differently.
 */
export function canonicalEmail(email: string): string | null {
  if (email.length > emailMaxLength) return null
  const trimmed = email.trim()
  const host = emailHost(trimmed)
  const local = trimmed.slice(0, trimmed.lastIndexOf('@')).toLowerCase()
  if (host === null) return null
  return /^[^\s\p{Cc}@"<>(),:;[\]\\]+$/u.test(local) && local.isWellFormed() ? `${local}@${host}` : null
}

/** A host in the spelling of `emailHost`; null for an invalid host name. */
export function canonicalHost(host: string): string | null {
  if (host.length > emailMaxLength) return null
  const trimmed = host.trim().replace(/\.$/, '')
  if (!/^[^\s/?#@:\\[\]%]{1,253}$/.test(trimmed)) return null
  const hostname = URL.parse(`http://${trimmed}`)?.hostname
  return hostname && hostName.test(hostname) && !/^[\d.]+$/.test(hostname) ? hostname : null
}
