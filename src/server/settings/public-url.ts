import { ConfigError } from './config-error.ts'

/** Paths begin at the root of the address, and the cookies of the sign-in belong to its whole host. */
export function readPublicUrl(text: string): string {
  const { origin, pathname, search, hash, username } = new URL(text)
  if (/^\/*$/.test(pathname) && search === '' && hash === '' && username === '') return origin
  throw new ConfigError(
    'PUBLIC_URL: must end behind the host, as in https://tributary.example.com; give Tributary a host of its own',
  )
}
