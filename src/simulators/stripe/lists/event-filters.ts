import { Refusal } from '../requests/refusal.ts'
import type { Filter } from './filter.ts'
import { readList, readText } from './query.ts'

/** docs.stripe.com/api/events/list: at most twenty. */
const typesMax = 20

/** One event type; `*` stands for any word, as in `customer.subscription.*`. */
export const eventType: Filter = (parameter) => {
  if (parameter === undefined) return undefined
  const matches = typeMatcher(readText(parameter))
  return { test: (row) => matches(String(row['type'])) }
}

/** Up to twenty event types; not together with `type`. */
export const eventTypes: Filter = (parameter, query) => {
  if (parameter === undefined) return undefined
  if (query.has('type'))
    throw new Refusal(400, 'You may only specify one of these parameters: type, types.', { param: 'types' })
  const types = readList(parameter)
  if (types.length > typesMax)
    throw new Refusal(400, `You may specify at most ${typesMax} types.`, { param: 'types' })
  const matchers = types.map(typeMatcher)
  return { test: (row) => matchers.some((matches) => matches(String(row['type']))) }
}

function typeMatcher(pattern: string): (type: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^a-z0-9_]/gi, (sign) => `\\${sign}`))
  const expression = new RegExp(`^${parts.join('.*')}$`)
  return (type) => expression.test(type)
}
