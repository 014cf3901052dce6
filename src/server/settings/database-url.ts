import { accessSync, constants } from 'node:fs'
import { ConfigError } from './config-error.ts'
import { isDecodable } from './is-decodable.ts'

const example = 'postgres://owner:password@db.example.com:5432/tributary'
/** The driver treats these three as verify-full, and prints a warning of many lines at each start. */
const sameAsFull = new Set(['prefer', 'require', 'verify-ca'])

/** Parameters that name a file, which the driver reads when it connects. */
const files = ['sslrootcert', 'sslcert', 'sslkey']

/** The address of the database as the driver takes it. Throws a ConfigError. */
export function readDatabaseUrl(text: string | undefined): string {
  if (!text?.trim()) throw new ConfigError(`DATABASE_URL: must be set, for example to ${example}`)
  const url = URL.parse(text.trim())
  const hasHost = url !== null && (url.hostname !== '' || url.searchParams.has('host'))
  if (!hasHost || !/^postgres(ql)?:$/.test(url.protocol) || !isDecodable(url.href)) {
    throw new ConfigError(
      `DATABASE_URL: must be an address such as ${example}; write special characters of the password as %40, %2F, %25 and so on`,
    )
  }
  for (const name of files) requireReadable(name, url.searchParams.get(name))
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && sameAsFull.has(mode) && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

function requireReadable(name: string, file: string | null): void {
  if (file === null) return
  try {
    accessSync(file, constants.R_OK)
  } catch {
    throw new ConfigError(`DATABASE_URL: the file of ${name} cannot be read; correct its path or its rights`)
  }
}
