import { ConfigError } from './config-error.ts'

/** Paths begin at the root of the address, and the cookies of the sign-in belong to its whole host. */
export function readPublicUrl(text: string): string {
  const { origin, pathname, search, hash, username } = new URL(text)
  if (/^\/*$/.test(pathname) && search === '' && hash === '' && username === '') return origin
  throw new ConfigError(
    'PUBLIC_URL: must end behind the host, as in https://tributary.example.com; give Tributary a host of its own',
  )
}

/** What is wrong with an address that is valid, with what to do; null if nothing is. On this machine, nobody listens in. */
export function openAddressWarning(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'http:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return null
  return 'PUBLIC_URL begins with http://, so passwords travel unencrypted: set one that begins with https://'
}

/** The warnings of a start about the address, with what HubSpot will not like about it. */
export function publicUrlWarnings(publicUrl: string, redirect: { text: string } | null): string[] {
  const open = openAddressWarning(publicUrl)
  return [...(open === null ? [] : [open]), ...(redirect === null ? [] : [`PUBLIC_URL: ${redirect.text}`])]
}
