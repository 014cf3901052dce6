import { noSuch } from '../requests/refusal.ts'
import { idOf } from '../world/account.ts'
import type { Extractor } from '../world/collection.ts'
import { isRecord } from '../world/world.ts'
import type { Filter } from './filter.ts'
import { readText } from './query.ts'

/** The subscription of an invoice: since basil it is under `parent.subscription_details`. */
const parentSubscription: Extractor = (row) => {
  const parent = row['parent']
  const details = isRecord(parent) ? parent['subscription_details'] : undefined
  const id = isRecord(details) ? idOf(details['subscription']) : undefined
  return id === undefined ? [] : [id]
}

/** Invoices of one subscription; "No such subscription" with status 400 if it does not exist. */
export const invoiceSubscription: Filter = (parameter, _query, account) => {
  if (parameter === undefined) return undefined
  const word = readText(parameter)
  if (account.find('subscription', word) === undefined)
    throw noSuch(400, 'subscription', word, parameter.name)
  return { extract: parentSubscription, word }
}
