/**
 * Imported first by what a person starts: takes the settings of the file `.env`, as Docker does. What the environment says
 * already wins.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { oneLine } from '#cli/one-line.ts'
import { trustAuthorities } from '#server/settings/trust-authorities.ts'

const file = join(import.meta.dirname, '../.env')

try {
  if (existsSync(file)) process.loadEnvFile(file)
  trustAuthorities({ authoritiesFile: process.env['NODE_EXTRA_CA_CERTS'] || null })
} catch (error) {
  process.stderr.write(`Tributary cannot read its settings: ${oneLine(error)}\n`)
  process.exit(2)
}
