import type { Tenant } from '../store/database.ts'
import { listRunErrors } from '../store/run-details.ts'
import { csvOf } from './csv.ts'

type InOrganization = <T>(work: (tenant: Tenant) => Promise<T>) => Promise<T>

/** Errors in memory at a time; what is downloaded may be any number of them. */
const errorsPerPage = 1_000

/** Every error of a run as CSV, read as fast as it is taken off. */
export function streamRunErrors(inOrganization: InOrganization, runId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let afterId: number | null = null
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode(csvOf([['Time', 'Source ID', 'Error Message']]))),
    async pull(stream) {
      const page = { afterId, limit: errorsPerPage }
      const errors = await inOrganization((tenant) => listRunErrors(tenant, runId, page))
      const rows = errors.map((row) => [row.created_at.toISOString(), row.source_id ?? '', row.message])
      if (rows.length > 0) stream.enqueue(encoder.encode(csvOf(rows)))
      if (errors.length < errorsPerPage) stream.close()
      afterId = errors.at(-1)?.id ?? null
    },
  })
}
