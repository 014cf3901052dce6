import pino from 'pino'

/** Structured lines on stdout. Log calls name each field; they never log whole objects. */
export type Log = pino.Logger

const secretFields = [
  'apiKey',
  'serviceKey',
  'tokenKey',
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'clientSecret',
]

/** Lines beyond this backlog are lost. */
const waitingMaxBytes = 1_000_000

/** The log of a process; its lines go to stdout unless told otherwise. */
export function createLog(
  options: { level: string; name: string },
  destination?: pino.DestinationStream,
): Log {
  return pino(
    {
      name: options.name,
      level: options.level,
      base: { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
      serializers: { error: describeError },
    },
    destination ?? openStdout(),
  )
}

/**
 * Stdout. While the disk is full, lines are lost, because a log must not end the process that it records. Written at once:
 * what the library keeps until the process ends, it would try to write for ever.
 */
function openStdout(): pino.DestinationStream {
  const stdout = pino.destination({ dest: 1, sync: true, maxLength: waitingMaxBytes })
  stdout.on('error', () => {})
  return stdout
}

/**
 * The parts of an error that help to find the cause. Drivers add the row that failed, which must not be logged. The queue
 * reports errors as plain objects with the same parts.
 */
function describeError(error: unknown): object {
  const { name, message, stack, code } = Object(error)
  if (typeof message !== 'string') return { message: 'not an error' }
  return { type: name, message, stack, code }
}
