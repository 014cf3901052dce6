import { exportActivity, listActivity, listActivityOptions } from '#contract/audit.ts'
import { outcomeLabels } from '#contract/lists/list-words.ts'
import { auditActions, isAuditAction } from '#domain/audit.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import {
  type AuditFilter,
  type AuditLine,
  type AuditPlace,
  listAudit,
  listAuditOptions,
  readAuditOnwards,
} from '../../store/accounts/audit-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { csvFile, streamCsv } from '../csv.ts'
import { decisionTexts } from './decision-texts.ts'

export function serveAudit(router: Router): void {
  serve(router, listActivity, (context, { query }) =>
    context.inOrganization(async (tenant) => {
      const { lines, totalCount } = await listAudit(tenant, query)
      const write = await subjectsOf(tenant, lines)
      return { lines: lines.map((line) => toWire(line, write)), totalCount }
    }),
  )

  serve(router, listActivityOptions, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const { people, actions, ...others } = await listAuditOptions(tenant)
      return {
        ...others,
        people: people.map(({ personId, address }) => ({ personId: String(personId), address })),
        actions: actions
          .map((action) => ({ action, description: descriptionOf(action) }))
          .sort((a, b) => (a.description < b.description ? -1 : 1)),
      }
    }),
  )

  serve(router, exportActivity, ({ inOrganization }, { query }) =>
    csvFile('activity.csv', streamCsv(head, pagesOf(inOrganization, query))),
  )
}

const head = ['Time (UTC)', 'Who', 'What', 'Concerning', 'Address', 'Outcome']
/** The export holds this many lines in memory at a time; it continues until the last one. */
const linesPerPage = 1_000

async function* pagesOf(
  inOrganization: Context['inOrganization'],
  filter: AuditFilter,
): AsyncGenerator<string[][], undefined> {
  const readBehind = (behind: AuditPlace | null) =>
    inOrganization(async (tenant) => {
      const { lines, next } = await readAuditOnwards(tenant, filter, { behind, limit: linesPerPage })
      const write = await subjectsOf(tenant, lines)
      return { lines: lines.map((line) => toWire(line, write)), next }
    })
  for (let behind: AuditPlace | null = null; ; ) {
    const { lines, next } = await readBehind(behind)
    yield lines.map((line) => [
      ...[line.happenedAt, line.actor ?? '', line.description, line.subject ?? ''],
      ...[line.address ?? '', outcomeLabels[line.outcome]],
    ])
    if (next === null) return undefined
    behind = next
  }
}

function descriptionOf(action: string): string {
  return isAuditAction(action) ? auditActions[action] : action
}

/** The database accepts no other value. */
function outcomeOf(text: string): 'begun' | 'done' | 'failed' {
  return text === 'begun' || text === 'failed' ? text : 'done'
}

type Subjects = (line: Pick<AuditLine, 'action' | 'subject'>) => string | null

/** Decisions are kept with ids alone, and get their names here. */
async function subjectsOf(tenant: Tenant, lines: readonly AuditLine[]): Promise<Subjects> {
  const isDecision = ({ action }: Pick<AuditLine, 'action'>) =>
    action === 'match_decided' || action === 'match_rule_made' || action === 'match_undone'
  const write = await decisionTexts(
    tenant,
    lines.filter(isDecision).map(({ subject }) => subject),
  )
  return (line) => (isDecision(line) ? write(line.subject) : line.subject)
}

function toWire(line: AuditLine, subject: Subjects) {
  return {
    id: String(line.id),
    happenedAt: line.happened_at.toISOString(),
    actor: line.actor_email,
    address: line.address,
    action: line.action,
    description: descriptionOf(line.action),
    subject: subject(line),
    outcome: outcomeOf(line.outcome),
  }
}
