import type { Log } from '../../log.ts'
import { noteLogged } from './database-trouble.ts'

/** The library's messages repeat what the caller sent. */
const messageMaxLength = 200

/**
 * The library's errors and warnings go to our log; lower levels contain addresses and are left out. Where nothing failed, a
 * caller was refused: that is a warning, so that no stranger raises an operator's alarm.
 */
export function libraryLog(log: Log) {
  return {
    level: 'info' as const,
    log: (level: string, message: string, ...details: unknown[]) => {
      const error = details.find((detail) => detail instanceof Error)
      noteLogged(error)
      const line = `identity: ${message.slice(0, messageMaxLength)}`
      if (level === 'error' && error !== undefined) log.error({ error }, line)
      else if (level === 'error' || level === 'warn') log.warn(line)
    },
  }
}
