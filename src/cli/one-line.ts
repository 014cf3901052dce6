import { ConfigError } from '#server/settings/config-error.ts'
import { databaseFault } from '#server/store/postgres/database-fault.ts'

/**
 * What went wrong, in one line: what to do about a setting or the database where it is known, else the message
 * without the lines that only help a developer.
 */
export function oneLine(error: unknown): string {
  if (error instanceof ConfigError) return `setting ${error.message}`
  const url = process.env['DATABASE_URL'] ?? ''
  const fault = URL.canParse(url) ? databaseFault(error, url) : undefined
  if (fault !== undefined) return `setting ${fault}`
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message || first.name : String(first)
  return message.replaceAll(/\s*\n\s*/g, ' ')
}
