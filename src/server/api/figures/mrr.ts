import type { ResponseOf } from '#contract/endpoint.ts'
import { getEventReceipt, getSubscriptionReceipt, listMrrSnapshots } from '#contract/mrr.ts'
import { splitByCurrency } from '#domain/mrr-by-currency.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { listMonthlyMrr } from '../../store/ledger/dashboard.ts'
import {
  type EventReceipt,
  findEventReceipt,
  findSubscriptionReceipt,
  type KeptReceipt,
} from '../../store/ledger/receipts.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { readLinks } from '../links.ts'
import { toOtherCurrency } from './other-currency.ts'
import { readReceipt } from './receipt.ts'

export function serveMrr(router: Router): void {
  serve(router, listMrrSnapshots, ({ inOrganization }) => inOrganization(readSnapshots))

  serve(router, getEventReceipt, ({ deps, inOrganization }, { params }) =>
    inOrganization(async (tenant) => {
      const found = await findEventReceipt(tenant, params.eventId)
      if (found === undefined)
        throw new Refusal('not_found', 'The requested event could not be found. Choose one on Events.')
      const links = await readLinks(deps, tenant)
      return {
        eventId: found.id,
        subscriptionId: found.subscriptionId,
        occurredAt: found.occurredAt.toISOString(),
        previousMrr: found.previousMrrCents,
        currentMrr: found.currentMrrCents,
        mrrChange: found.mrrChangeCents,
        currency: found.currency,
        receipt: await readReceipt(tenant, found.receipt, links),
        previousReceipt: await readReceipt(tenant, beforeChange(found), links),
        hasSilentChange: found.receipt?.before !== undefined,
      }
    }),
  )

  serve(router, getSubscriptionReceipt, ({ deps, inOrganization }, { params }) =>
    inOrganization(async (tenant) => {
      const found = await findSubscriptionReceipt(tenant, params.id)
      if (found === undefined)
        throw new Refusal('not_found', 'The requested subscription could not be found.')
      return {
        subscriptionId: found.id,
        currentMrr: found.currentMrrCents,
        currency: found.currency,
        unsupportedReason: found.unsupportedReason,
        receipt: await readReceipt(tenant, found.receipt, await readLinks(deps, tenant)),
      }
    }),
  )
}

/** The receipt of the MRR that a change started from. */
function beforeChange({ receipt, previousReceipt }: EventReceipt): KeptReceipt | null {
  if (receipt?.before === undefined) return previousReceipt
  const { kind, endsAt, lastBill, before, ...rest } = receipt
  const rules = before.parts.flatMap((part) => part.rules)
  return { ...rest, ...before, dated: null, ignored: [], rules: [...new Set(rules)] }
}

/** MRR on the 1st of each month, beside it what has no rate. */
export async function readSnapshots(tenant: Tenant): Promise<ResponseOf<typeof listMrrSnapshots>> {
  const reportingCurrency = await getReportingCurrency(tenant)
  const months = Map.groupBy(await listMonthlyMrr(tenant), ({ month }) => month)
  return {
    reportingCurrency,
    snapshots: [...months].map(([month, rows]) => {
      const { total, others } = splitByCurrency(rows, reportingCurrency)
      return {
        month,
        mrr: total.mrrCents,
        activeSubscriptions: total.activeSubscriptions,
        otherCurrencies: others.map(toOtherCurrency),
      }
    }),
  }
}
