// Loaded only where traces are wanted. Nothing is registered globally: libraries that look for OpenTelemetry would otherwise
// write spans of their own, with attributes that nobody here has checked.

import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TraceSettings } from './settings/trace-settings.ts'
import type { Tracing } from './traces.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, job: SpanKind.CONSUMER } as const
/** A collector that is away must not hold up the end of a process. */
const closeWithinMs = 2_000

/** Sends spans in batches to an OTLP collector over HTTP, through the proxy of the settings. Spans that it refuses are lost. */
export function createTraces({ url, headers }: TraceSettings, process: string): Tracing {
  const exporter = new OTLPTraceExporter({
    url,
    headers,
    // The exporter's own agent would go past the proxy.
    httpAgentOptions: async (protocol) => (protocol === 'https:' ? https.globalAgent : http.globalAgent),
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tributary', 'tributary.process': process }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('tributary')
  const around = new AsyncLocalStorage<Context>()
  return {
    inSpan({ name, role, attributes }, work) {
      const outer = around.getStore() ?? ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: kinds[role], attributes }, outer)
      return around.run(trace.setSpan(outer, span), async () => {
        try {
          return await work({
            rename: (better) => void span.updateName(better),
            note: (more) => void span.setAttributes(more),
          })
        } catch (error) {
          // Its message may repeat what a provider or a person said.
          span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
          span.setStatus({ code: SpanStatusCode.ERROR })
          throw error
        } finally {
          span.end()
        }
      })
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), sleep(closeWithinMs)]),
  }
}
