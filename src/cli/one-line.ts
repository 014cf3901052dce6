import { ConfigError } from '#server/settings/config-error.ts'
import { databaseFault } from '#server/store/postgres/database-fault.ts'

/**
 * What went wrong, in one line: what to do about a setting, the database or a file where it is known, else the message
 * without the lines that only help a developer.
 */
export function oneLine(error: unknown): string {
  if (error instanceof ConfigError) return `setting ${error.message}`
  const url = process.env['DATABASE_URL'] ?? ''
  const fault = URL.canParse(url) ? databaseFault(error, url) : undefined
  if (fault !== undefined) return `setting ${fault}`
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? (fileFault(first) ?? (first.message || first.name)) : String(first)
  const cure = databaseCures[Object(first)['code']] ?? ''
  return `${message.replaceAll(/\s*\n\s*/g, ' ')}${cure}`
}

/** What to do about an answer of PostgreSQL that says only what is wrong, by its SQLSTATE. */
const databaseCures: Readonly<Record<string, string>> = {
  '42501': '; DATABASE_URL must name the owner of its database',
  '42P01': '; correct DATABASE_URL if it is not a database of Tributary, else run tributary migrate',
}

const fileFaults: Readonly<Record<string, string>> = {
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  ENOENT: 'does not exist, or its folder does not',
  ENOSPC: 'does not fit on the disk',
  ENOTDIR: 'lies below a file',
}

/** Why a named file or folder cannot be used; undefined for an error of another kind. */
function fileFault({ code, path, syscall }: NodeJS.ErrnoException): string | undefined {
  if (
    code === undefined ||
    path === undefined ||
    !/^(?:mkdir|open|rename|stat|lstat|unlink|rm)$/.test(syscall ?? '')
  )
    return undefined
  return `${path} ${fileFaults[code] ?? `cannot be used (${code})`}; name another file or folder, or give this user the right to it`
}
