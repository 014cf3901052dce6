/** `npm run tributary`: the command. Without DATABASE_URL it works on the product that `npm start` runs here. */
import './env-file.ts'
import { findRunning } from './running.ts'

if (!process.env['DATABASE_URL']) {
  for (const [name, value] of Object.entries(findRunning()?.settings ?? {})) process.env[name] ||= value
}
await import('#cli/tributary.ts')
