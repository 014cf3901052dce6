import type { TraceSettings } from '#server/settings/trace-settings.ts'
import { codeOf } from './code-of.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

const timeoutMs = 10_000
const { ok, wrong } = symptomsOf('traces')

/** Sends no span to the collector, in the form in which spans are sent. */
export async function lookAtTraces(traces: TraceSettings | null): Promise<Symptom> {
  if (traces === null) return ok('none are sent')
  const { url, headers } = traces
  const { host } = new URL(url)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    if (answer.ok) return ok(`the collector at ${host} takes them`)
    const setting = [401, 403].includes(answer.status) ? 'HEADERS' : 'ENDPOINT'
    return wrong(
      `the collector at ${host} refuses them (status ${answer.status}): correct OTEL_EXPORTER_OTLP_${setting}`,
    )
  } catch (error) {
    return wrong(
      `the collector at ${host} does not answer (${codeOf(error)}), so they are lost: correct OTEL_EXPORTER_OTLP_ENDPOINT, or look at DNS, firewall and proxy`,
    )
  }
}
