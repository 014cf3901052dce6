import type { Tenant } from '../../store/postgres/database.ts'
import { listRunErrors } from '../../store/runs/run-details.ts'
import { streamCsv } from '../csv.ts'

type InOrganization = <T>(work: (tenant: Tenant) => Promise<T>) => Promise<T>

/** The download holds this many errors in memory at a time, because a run has no upper limit. */
const errorsPerPage = 1_000

/** Every error of a run as CSV. */
export function streamRunErrors(inOrganization: InOrganization, runId: string): ReadableStream<Uint8Array> {
  return streamCsv(['Time', 'Source ID', 'Error Message'], pagesOf(inOrganization, runId))
}

async function* pagesOf(
  inOrganization: InOrganization,
  runId: string,
): AsyncGenerator<string[][], undefined> {
  for (let afterId: number | null = null; ; ) {
    const page: { afterId: number | null; limit: number } = { afterId, limit: errorsPerPage }
    const errors = await inOrganization((tenant) => listRunErrors(tenant, runId, page))
    yield errors.map((row) => [row.created_at.toISOString(), row.source_id ?? '', row.message])
    const last = errors.at(-1)
    if (!last || errors.length < errorsPerPage) return undefined
    afterId = last.id
  }
}
