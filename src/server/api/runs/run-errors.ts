import type { Context } from '../../http/context.ts'
import { listRunErrors } from '../../store/runs/run-details.ts'
import { streamCsv } from '../csv.ts'
import { rowsPerPage } from '../lists/list-csv.ts'

type InOrganization = Context['inOrganization']

/** Every error of a run as CSV. */
export function streamRunErrors(inOrganization: InOrganization, runId: string): ReadableStream<Uint8Array> {
  return streamCsv(['Time (UTC)', 'Source ID', 'Error Message'], pagesOf(inOrganization, runId))
}

async function* pagesOf(
  inOrganization: InOrganization,
  runId: string,
): AsyncGenerator<string[][], undefined> {
  for (let afterId: number | null = null; ; ) {
    const page: { afterId: number | null; limit: number } = { afterId, limit: rowsPerPage }
    const errors = await inOrganization((tenant) => listRunErrors(tenant, runId, page))
    yield errors.map((row) => [row.created_at.toISOString(), row.source_id ?? '', row.message])
    const last = errors.at(-1)
    if (!last || errors.length < rowsPerPage) return undefined
    afterId = last.id
  }
}
