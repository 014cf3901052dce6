import { exportActivity, listActivity } from '#contract/audit.ts'
import { auditActions, isAuditAction } from '#domain/audit.ts'
import { type Router, serve } from '../http/serve.ts'
import { auditExportMax, listAudit } from '../store/audit.ts'
import { csvOf } from './csv.ts'

export function serveAudit(router: Router): void {
  serve(router, listActivity, (context, { query }) =>
    context.inOrganization(async (tenant) => {
      // One more than asked for tells whether there are more.
      const found = await listAudit(tenant, { before: query.before ?? null, limit: query.limit + 1 })
      return { lines: found.slice(0, query.limit).map(toWire), hasMore: found.length > query.limit }
    }),
  )

  serve(router, exportActivity, async (context) => {
    const found = await context.inOrganization((tenant) =>
      listAudit(tenant, { before: null, limit: auditExportMax }),
    )
    const lines = found
      .map(toWire)
      .map((line) => [
        line.happenedAt,
        line.actor ?? '',
        line.description,
        line.subject ?? '',
        line.address ?? '',
        line.outcome,
      ])
    const head = ['Time', 'Who', 'What', 'Concerning', 'Address', 'Outcome']
    return new Response(csvOf([head, ...lines]), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="activity.csv"',
      },
    })
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
