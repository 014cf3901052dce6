import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lookAt } from '../leaks.ts'

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Record<string, unknown>
}

/** A tiny collector that takes traces as JSON (OTLP 1.x over HTTP). Everything that it gets is searched for secrets. */
export type Collector = {
  url: string
  spans: ReceivedSpan[]
  /** Every request's path and headers. */
  requests: { path: string; headers: Record<string, unknown> }[]
  /** The bodies as they came. */
  text(): string
  close(): void
}

type Attribute = { key: string; value: Record<string, unknown> }
type Body = {
  resourceSpans: {
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

export async function openCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const requests: Collector['requests'] = []
  const texts: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece) => (text += String(piece)))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers })
      texts.push(text)
      lookAt('log', 'spans', text)
      const body = JSON.parse(text) as Body
      for (const { scopeSpans } of body.resourceSpans)
        for (const scope of scopeSpans)
          for (const span of scope.spans) spans.push({ ...span, attributes: valuesOf(span.attributes) })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    text: () => texts.join('\n'),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
