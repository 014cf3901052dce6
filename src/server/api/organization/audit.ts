import { exportActivity, listActivity } from '#contract/audit.ts'
import { auditActions, isAuditAction } from '#domain/audit.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { listAudit } from '../../store/accounts/audit.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { csvFile, streamCsv } from '../csv.ts'
import { decisionTexts } from './decision-texts.ts'

export function serveAudit(router: Router): void {
  serve(router, listActivity, (context, { query }) =>
    context.inOrganization(async (tenant) => {
      // One extra row shows whether there are more.
      const found = await listAudit(tenant, { before: query.before ?? null, limit: query.limit + 1 })
      const write = await subjectsOf(tenant, found)
      return {
        lines: found.slice(0, query.limit).map((line) => toWire(line, write)),
        hasMore: found.length > query.limit,
      }
    }),
  )

  serve(router, exportActivity, ({ inOrganization }) =>
    csvFile('activity.csv', streamCsv(head, pagesOf(inOrganization))),
  )
}

const head = ['Time', 'Who', 'What', 'Concerning', 'Address', 'Outcome']
/** The export holds this many lines in memory at a time; it continues until the last one. */
const linesPerPage = 1_000

async function* pagesOf(inOrganization: Context['inOrganization']): AsyncGenerator<string[][], undefined> {
  for (let before: number | null = null; ; ) {
    const page: { before: number | null; limit: number } = { before, limit: linesPerPage }
    const { found, lines } = await inOrganization(async (tenant) => {
      const read = await listAudit(tenant, page)
      const write = await subjectsOf(tenant, read)
      return { found: read, lines: read.map((line) => toWire(line, write)) }
    })
    yield lines.map((line) => [
      ...[line.happenedAt, line.actor ?? '', line.description, line.subject ?? ''],
      ...[line.address ?? '', line.outcome],
    ])
    const last = found.at(-1)
    if (!last || found.length < linesPerPage) return undefined
    before = last.id
  }
}

/** The database accepts no other value. */
function outcomeOf(text: string): 'begun' | 'done' | 'failed' {
  return text === 'begun' || text === 'failed' ? text : 'done'
}

type Line = Awaited<ReturnType<typeof listAudit>>[number]
type Subjects = (line: Pick<Line, 'action' | 'subject'>) => string | null

/** Decisions are kept with ids alone, and get their names here. */
async function subjectsOf(tenant: Tenant, lines: readonly Line[]): Promise<Subjects> {
  const isDecision = ({ action }: Pick<Line, 'action'>) =>
    action === 'match_decided' || action === 'match_undone'
  const write = await decisionTexts(
    tenant,
    lines.filter(isDecision).map(({ subject }) => subject),
  )
  return (line) => (isDecision(line) ? write(line.subject) : line.subject)
}

function toWire(line: Line, subject: Subjects) {
  return {
    id: String(line.id),
    happenedAt: line.happened_at.toISOString(),
    actor: line.actor_email,
    address: line.address,
    action: line.action,
    description: isAuditAction(line.action) ? auditActions[line.action] : line.action,
    subject: subject(line),
    outcome: outcomeOf(line.outcome),
  }
}
