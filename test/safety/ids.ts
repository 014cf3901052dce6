import { run as query } from '../database.ts'
import type { Person } from '../harness.ts'

/** The kinds of things that an id can name. */
export const kinds = [
  'customer',
  'subscription',
  'event',
  'invoice',
  'run',
  'company',
  'portal',
  'member',
  'invitation',
  'organization',
  'session',
  'user',
  'webhook',
  'recount',
  'erasure',
  'decision',
] as const
export type IdKind = (typeof kinds)[number]
export type Ids = Readonly<Record<IdKind, string>>

/** Well-formed ids that belong to no one. */
export const unknownIds: Ids = {
  customer: 'cus_NobodyKnowsThis',
  subscription: 'sub_1NobodyKnowsThisSubscript',
  event: 'evt_nobody_knows_this',
  invoice: 'in_1NobodyKnowsThisInvoice',
  run: '00000000-0000-4000-8000-000000000000',
  company: '999999999',
  portal: '99999999',
  member: '99999999',
  invitation: 'unknown-invitation-99999999-99999999',
  organization: '99999999',
  session: '99999999',
  user: '99999999',
  webhook: 'NobodyKnowsThisAddressAtAll00000',
  recount: '99999999',
  erasure: '99999999999999999999999999999999',
  decision: '00000000-0000-4000-8000-000000000001',
}

const queries: Record<Exclude<IdKind, 'organization' | 'user'>, string> = {
  // Of the subscription below, so that a call that takes both finds something.
  customer: `select s.customer_id as id from crm_links l join subscriptions s on s.organization_id = l.organization_id
               and s.id = l.source_id where l.organization_id = $1 and l.kind = 'subscription' order by l.source_id limit 1`,
  subscription: `select source_id as id from crm_links where organization_id = $1 and kind = 'subscription' order by 1 limit 1`,
  event: `select source_id as id from crm_links where organization_id = $1 and kind = 'event' order by 1 limit 1`,
  invoice: 'select max(id) as id from invoices where organization_id = $1',
  run: `select id from runs where organization_id = $1 and kind = 'import' order by created_at limit 1`,
  company: 'select record_id as id from crm_companies where organization_id = $1 order by 1 limit 1',
  portal: `select account_id as id from connections where organization_id = $1 and provider = 'crm'`,
  member: 'select id from member where "organizationId" = $1 order by id limit 1',
  invitation: `select token as id from invitation where "organizationId" = $1 and status = 'pending' limit 1`,
  session: `select s.id from session s join member m on m."userId" = s."userId"
             where m."organizationId" = $1 order by s.id limit 1`,
  webhook: 'select token as id from webhook_addresses where organization_id = $1',
  erasure: 'select max(id) as id from erasures where organization_id = $1',
  decision:
    'select decision_id as id from match_decisions where organization_id = $1 order by position desc limit 1',
  recount: 'select max(id) as id from recounts where organization_id = $1 and record_count > 0',
}

/** One id of each kind in the organization; throws if one is missing, because its test would prove nothing. */
export async function findIds(ownerUrl: string, { owner }: { owner: Person }): Promise<Ids> {
  const texts = Object.entries(queries).map(([kind, text]) => `(${text})::text as ${kind}`)
  // A single query, because the fuzzer asks before most of its requests.
  const [row = {}] = await query<Record<string, string>>(ownerUrl, `select ${texts.join(', ')}`, [
    owner.organizationId,
  ])
  const ids = { ...row, organization: String(owner.organizationId), user: String(owner.userId) } as Ids
  const missing = kinds.filter((kind) => ids[kind] == null)
  if (missing.length > 0) throw new Error(`The organization has no ${missing.join(', ')}.`)
  return ids
}

/** The kind of id in a place of a call. A new name must be added here before its call can be probed. */
export function kindOfPlace(path: string, name: string): IdKind {
  const named: Record<string, IdKind> = {
    customerId: 'customer',
    exceptCustomerId: 'customer',
    companyRecordId: 'company',
    eventId: 'event',
    transactionId: 'event',
    subscriptionId: 'subscription',
    invoiceId: 'invoice',
    importId: 'run',
    portalId: 'portal',
    memberId: 'member',
    invitationId: 'invitation',
    organizationId: 'organization',
    sessionId: 'session',
    personId: 'user',
    n: 'user',
    token: 'webhook',
    recountId: 'recount',
    erasureId: 'erasure',
    decisionId: 'decision',
  }
  const kind =
    named[name] ?? (name !== 'id' ? undefined : /subscriptions\//.test(path) ? 'subscription' : 'run')
  if (kind === undefined) throw new Error(`What does ${name} of ${path} name? Say so in kindOfPlace.`)
  return kind
}

/** Whether a field of this name identifies something that belongs to someone. */
export function isIdName(name: string): boolean {
  return /(^id$|Id$|^n$|^token$)/.test(name)
}
