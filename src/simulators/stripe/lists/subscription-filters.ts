import { idOf } from '../world/account.ts'
import type { Extractor } from '../world/collection.ts'
import { rowsOf } from '../world/embedded.ts'
import { isRecord } from '../world/world.ts'
import { type Filter, itemSeconds, notAllowed, within } from './filter.ts'
import { readText } from './query.ts'

const statuses = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
]

const notCanceled = 'not canceled'

/** Each status word that finds a subscription, the collective ones included. */
const statusWords: Extractor = (row) => {
  const status = String(row['status'])
  const words = [status]
  if (status !== 'canceled') words.push(notCanceled)
  if (status === 'canceled' || status === 'incomplete_expired') words.push('ended')
  return words
}

/**
 * Without `status`, canceled subscriptions are left out; `all` includes them
 * (docs.stripe.com/api/subscriptions/list).
 */
export const subscriptionStatus: Filter = (parameter) => {
  if (parameter === undefined) return { extract: statusWords, word: notCanceled }
  const status = readText(parameter)
  if (!statuses.includes(status)) throw notAllowed('status', statuses)
  return status === 'all' ? undefined : { extract: statusWords, word: status }
}

const pricesOfItems: Extractor = (row) =>
  rowsOf(row['items'])
    .map((item) => idOf(item['price']))
    .filter((id) => id !== undefined)

/** Subscriptions with that price on any item. */
export const itemPrice: Filter = (parameter) =>
  parameter === undefined ? undefined : { extract: pricesOfItems, word: readText(parameter) }

export const automaticTax: Filter = (parameter) => {
  if (parameter === undefined) return undefined
  const wanted = parameter.fields.get('enabled') === 'true'
  return {
    test: (row) => {
      const tax = row['automatic_tax']
      return (isRecord(tax) && tax['enabled'] === true) === wanted
    },
  }
}

export const currentPeriodEnd: Filter = within((row) => {
  const ends = itemSeconds(row, 'current_period_end')
  return ends.length === 0 ? undefined : Math.min(...ends)
})

export const currentPeriodStart: Filter = within((row) => {
  const starts = itemSeconds(row, 'current_period_start')
  return starts.length === 0 ? undefined : Math.max(...starts)
})
