import type { getTestSubscriptionData } from '#contract/diagnostics.ts'
import type { ResponseOf } from '#contract/endpoint.ts'

type SubscriptionData = ResponseOf<typeof getTestSubscriptionData>

const products = ['Starter', 'Team', 'Business', 'Enterprise']
const statuses = ['active', 'trialing', 'past_due', 'canceled']
const firstDay = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000
const rowsMax = 12

const pick = <T>(values: readonly T[], at: number, fallback: T): T => values[at % values.length] ?? fallback
const isoOfDay = (day: number) => new Date(firstDay + day * dayMs).toISOString()

/** Invented rows for the public test page. They depend only on `n` and contain no data of any organization. */
export function synthesizeSubscriptionData(n: number): SubscriptionData {
  const count = 1 + (n % rowsMax)
  const rows = Array.from({ length: count }, (_, index) => synthesizeRow(n, index))
  return {
    subscriptions: rows.map(({ subscription }) => subscription),
    subscriptionsCount: count,
    transactions: rows.map(({ transaction }) => transaction),
    transactionsCount: count,
  }
}

function synthesizeRow(n: number, index: number) {
  const number = n * rowsMax + index
  const subscriptionId = `sub_test_${number}`
  const companyName = `Example Company ${number}`
  const mrr = 2_900 * (1 + (number % 7))
  const isSynced = number % 3 !== 0
  const subscription = {
    id: String(number),
    subscriptionId,
    companyName,
    productName: pick(products, number, 'Starter'),
    status: pick(statuses, number, 'active'),
    currentMrr: mrr,
    currency: 'usd',
    createdAt: isoOfDay(number % 365),
    lastSyncedAt: isSynced ? isoOfDay((number % 365) + 1) : null,
  }
  const transaction = {
    id: String(number),
    transactionId: `evt_test_${number}`,
    companyName,
    relatedSubscriptionId: subscriptionId,
    mrrChange: mrr,
    currency: 'usd',
    changeType: 'new_subscription',
    transactionDate: isoOfDay(number % 365),
    hubspotObjectId: isSynced ? String(100_000 + number) : null,
  }
  return { subscription, transaction }
}
