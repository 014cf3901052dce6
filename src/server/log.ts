import pino from 'pino'

/** Structured lines on stdout. Fields are named one by one where they are logged; whole objects are not. */
export type Log = pino.Logger

const secretFields = [
  'apiKey',
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'code',
  'state',
]

export function createLog(options: { level: string; name: string }): Log {
  return pino({
    name: options.name,
    level: options.level,
    base: { name: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    serializers: { error: pino.stdSerializers.err },
  })
}
