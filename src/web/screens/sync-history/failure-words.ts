import type { ResponseOf } from '#contract/endpoint.ts'
import type { getImportJob } from '#contract/sync.ts'
import { formatFullInstant } from '../../ui/time/ago.ts'

type FailedJob = Pick<ResponseOf<typeof getImportJob>, 'type' | 'failure'>

/** What a request to Stripe asks for, by the first word of its path below the version. */
const readFromStripe: Record<string, string> = {
  account: 'The account',
  coupons: 'Coupons',
  customers: 'Customers',
  events: 'Changes',
  invoice_payments: 'Invoice payments',
  invoices: 'Invoices',
  prices: 'Prices',
  products: 'Products',
  subscription_items: 'Subscriptions',
  subscriptions: 'Subscriptions',
}

const phasesOfSync: Record<string, string> = {
  objects: 'Custom objects in HubSpot',
  matching: 'Companies and contacts in HubSpot',
  looking: 'Changes made in HubSpot',
  planning: 'What to sync to HubSpot',
  subscriptions: 'Subscriptions to HubSpot',
  events: 'Events to HubSpot',
  associations: 'Links to companies and contacts in HubSpot',
}

const phasesOfMrr: Record<string, string> = {
  importing: 'Everything from Stripe',
  refreshing: 'Changes from Stripe',
  rebuilding: 'Calculating MRR',
  recounting: 'Calculating MRR',
}

/** A line of a run's log, with its time as times are written elsewhere, to the second. */
export function logText(line: string): string {
  return line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z/, formatFullInstant)
}

/** Names the step at which a run failed, with what it carried: 'Invoices from Stripe'; null where that is not known. */
export function failedStep({ type, failure }: FailedJob): string | null {
  if (failure === null) return null
  const { phase, request } = failure
  if (type === 'sync') return phasesOfSync[phase ?? ''] ?? null
  const read = readFromStripe[request?.path?.split('/')[2] ?? '']
  return read === undefined ? (phasesOfMrr[phase ?? ''] ?? null) : `${read} from Stripe`
}

/** Writes the answer to the request that failed: '400 VALIDATION_ERROR'; null where none came. */
export function answerText({ failure }: Pick<FailedJob, 'failure'>): string | null {
  const { status, code } = failure?.request ?? {}
  if (status === undefined) return null
  return code === undefined ? String(status) : `${status} ${code}`
}

/** What a person sends to the provider's support. */
export function textForSupport(run: FailedJob & { processedAt: string | null }): string {
  const { method, path, id } = run.failure?.request ?? {}
  const answer = answerText(run)
  return [
    `Request id: ${id}`,
    ...(path === undefined ? [] : [`Request: ${method} ${path}`]),
    ...(answer === null ? [] : [`Answer: ${answer}`]),
    ...(run.processedAt === null ? [] : [`Time: ${run.processedAt}`]),
  ].join('\n')
}
