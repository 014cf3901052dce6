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
    destination ?? pino.destination(1),
  )
}

/** The parts of an error that help to find the cause. Drivers add the row that failed, which must not be logged. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const code = 'code' in error ? { code: error.code } : {}
  return { type: error.name, message: error.message, stack: error.stack, ...code }
}
