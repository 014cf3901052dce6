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
    // In places, the library gives an error alone, against its own types.
    log: (level: string, ...parts: [message: string | Error, ...details: unknown[]]) => {
      const error = parts.find((part) => part instanceof Error)
      noteLogged(error)
      const [message] = parts
      const text = message instanceof Error ? message.message : message
      const line = `identity: ${text.slice(0, messageMaxLength)}`
      if (level === 'error' && error !== undefined) log.error({ error }, line)
      else if (level === 'error' || level === 'warn') log.warn(line)
    },
  }
}
