import { type AskProvider, at, listAt } from './ask.ts'

/** What the probe made in the account, so that it can remove it again. */
export type Traces = {
  typeId: string | null
  records: { type: string; id: string }[]
}

const schemas = '/crm-object-schemas/2026-09/schemas'

/** Makes a record and notes it; null if HubSpot refuses it. */
export async function makeRecord(
  ask: AskProvider,
  traces: Traces,
  type: string,
  properties: Record<string, string>,
): Promise<string | null> {
  const { status, body } = await ask('POST', `/crm/objects/2026-09/${type}`, { properties })
  const id = at(body, 'id')
  if (status !== 201 || typeof id !== 'string') return null
  traces.records.push({ type, id })
  return id
}

/** Notes the records of a batch answer. */
export function noteResults(traces: Traces, type: string, body: unknown): unknown[] {
  const results = listAt(body, 'results')
  for (const result of results) traces.records.push({ type, id: String(at(result, 'id')) })
  return results
}

/**
 * Removes everything that the probe made: records first, because HubSpot deletes no object that has some. Returns what
 * is left, in words that a person can search for.
 */
export async function removeTraces(ask: AskProvider, traces: Traces, name: string): Promise<string[]> {
  const left: string[] = []
  for (const { type, id } of traces.records.toReversed()) {
    const { status } = await ask('DELETE', `/crm/objects/2026-09/${type}/${id}`)
    // A merged record has gone with the other one.
    if (status >= 400 && status !== 404) left.push(`a record of ${type}`)
  }
  if (traces.typeId === null) return left
  const { status } = await ask('DELETE', `${schemas}/${traces.typeId}`)
  // What is deleted keeps its name until it is deleted for good.
  const purged = await ask('DELETE', `${schemas}/${traces.typeId}?archived=true`)
  if (status >= 400 || purged.status >= 400) left.push(`the object ${name}`)
  return left
}
