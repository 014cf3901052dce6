import { exportActivity, listActivity } from '#contract/audit.ts'
import { auditActions, isAuditAction } from '#domain/audit.ts'
import type { Context } from '../http/context.ts'
import { type Router, serve } from '../http/serve.ts'
import { listAudit } from '../store/audit.ts'
import { csvOf } from './csv.ts'

/** Lines in memory at a time; what is downloaded may be any number of them. */
const linesPerPage = 1_000

export function serveAudit(router: Router): void {
  serve(router, listActivity, (context, { query }) =>
    context.inOrganization(async (tenant) => {
      // One more than asked for tells whether there are more.
      const found = await listAudit(tenant, { before: query.before ?? null, limit: query.limit + 1 })
      return { lines: found.slice(0, query.limit).map(toWire), hasMore: found.length > query.limit }
    }),
  )

  serve(
    router,
    exportActivity,
    (context) =>
      new Response(streamActivity(context), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="activity.csv"',
        },
      }),
  )
}

/** All activity as CSV, a page in each transaction: whole, it would keep a connection and the processor from others. */
function streamActivity({ inOrganization }: Pick<Context, 'inOrganization'>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const head = ['Time', 'Who', 'What', 'Concerning', 'Address', 'Outcome']
  let before: number | null = null
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode(csvOf([head]))),
    async pull(stream) {
      const page = { before, limit: linesPerPage }
      const found = await inOrganization((tenant) => listAudit(tenant, page))
      const rows = found
        .map(toWire)
        .map((line) => [
          line.happenedAt,
          line.actor ?? '',
          line.description,
          line.subject ?? '',
          line.address ?? '',
          line.outcome,
        ])
      if (rows.length > 0) stream.enqueue(encoder.encode(csvOf(rows)))
      if (found.length < linesPerPage) stream.close()
      before = found.at(-1)?.id ?? null
    },
  })
}

/** The database takes no other word. */
function outcomeOf(text: string): 'begun' | 'done' | 'failed' {
  return text === 'begun' || text === 'failed' ? text : 'done'
}

function toWire(line: Awaited<ReturnType<typeof listAudit>>[number]) {
  return {
    id: String(line.id),
    happenedAt: line.happened_at.toISOString(),
    actor: line.actor_email,
    address: line.address,
    action: line.action,
    description: isAuditAction(line.action) ? auditActions[line.action] : line.action,
    subject: line.subject,
    outcome: outcomeOf(line.outcome),
  }
}
