import { ConfigError } from './config-error.ts'

/** Where traces are sent, by the names and rules of OpenTelemetry's own settings. */
export type TraceSettings = { url: string; headers: Record<string, string> }

type Given = {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
}

/** Null without an endpoint: then nothing is traced. Throws a ConfigError. */
export function readTraces(given: Given): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = given
  if (endpoint === undefined) {
    if (headers === undefined) return null
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS: needs OTEL_EXPORTER_OTLP_ENDPOINT; set both')
  }
  return { url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`, headers: readHeaders(headers ?? '') }
}

function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? []
      if (name !== undefined && value !== undefined && isEncoded(value))
        return [name, decodeURIComponent(value)]
      throw new ConfigError(
        'OTEL_EXPORTER_OTLP_HEADERS: must be NAME=VALUE, with commas; write commas of a value as %2C',
      )
    }),
  )
}

function isEncoded(value: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(value)
}
