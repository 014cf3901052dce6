import { type AccountJson, idIn, type SimulatedAccount } from '../world/account.ts'
import type { Extractor, Rows } from '../world/collection.ts'
import { isRecord } from '../world/world.ts'
import { type Expansion, nothingExpanded } from './expansion.ts'
import { type FieldRule, type Shape, shapeOf } from './shapes.ts'

/** Embedded lists contain the first ten rows; the list's own URL gives the others. */
const embeddedRowsMax = 10

/**
 * Turns a stored object into Stripe's answer: ids instead of unexpanded objects, ten embedded rows, no on-request
 * fields. The stored object stays unchanged; parts that do not differ are shared.
 */
export function render(
  stored: AccountJson,
  kind: string,
  expansion: Expansion,
  account: Account,
): AccountJson {
  return renderFields(stored, shapeOf(kind), expansion, account)
}

/** An event as Stripe lists and sends it: nothing in its object is expanded. */
export function renderEvent(event: AccountJson): AccountJson {
  return renderFields(event, shapeOf('event'), nothingExpanded, undefined)
}

/** No account: for an answer without anything expanded, in which nothing is looked up. */
type Account = SimulatedAccount | undefined

function renderFields(stored: AccountJson, shape: Shape, expansion: Expansion, account: Account) {
  let answer: Record<string, unknown> | undefined
  for (const [field, rule] of shape) {
    const before = stored[field]
    const wanted = Object.hasOwn(expansion, field) ? expansion[field] : undefined
    const after = renderField(rule, before, wanted, account, stored)
    if (after === before) continue
    answer ??= { ...stored }
    answer[field] = after
  }
  return answer ?? stored
}

function renderField(
  rule: FieldRule,
  value: unknown,
  wanted: Expansion | undefined,
  account: Account,
  owner: AccountJson,
): unknown {
  if (rule.is === 'related') return wanted === undefined ? undefined : related(rule, wanted, account, owner)
  if (value === undefined || value === null) return value
  if (rule.is === 'onRequest') return wanted === undefined ? undefined : value
  const inside = wanted ?? nothingExpanded
  switch (rule.is) {
    case 'reference':
      return renderReference(rule.to, value, wanted, account)
    case 'references':
      if (!Array.isArray(value)) return value
      return value.map((one: unknown) => renderReference(rule.to, one, wanted, account))
    case 'resource':
      return isRecord(value) ? render(value, String(value['object']), nothingExpanded, undefined) : value
    case 'part':
      return isRecord(value) ? render(value, rule.shape, inside, account) : value
    case 'list':
      return renderList(rule.shape, value, inside, account)
    case 'hash':
      if (isRecord(value)) return renderFields(value, rule.fields, inside, account)
      if (!Array.isArray(value)) return value
      return value.map((one: unknown) =>
        isRecord(one) ? renderFields(one, rule.fields, inside, account) : one,
      )
  }
}

function renderReference(kind: string, value: unknown, wanted: Expansion | undefined, account: Account) {
  const embedded = isRecord(value) ? value : undefined
  const id = embedded === undefined ? value : embedded['id']
  if (typeof id !== 'string') return value
  if (wanted === undefined) return id
  const object = account?.find(kind, id) ?? embedded
  if (object === undefined) return id
  return object['deleted'] === true ? object : render(object, kind, wanted, account)
}

function renderList(kind: string, list: unknown, inside: Expansion, account: Account): unknown {
  if (!isRecord(list) || !Array.isArray(list['data'])) return list
  const rows: readonly unknown[] = list['data']
  const shown = rows.slice(0, embeddedRowsMax)
  const data = shown.map((row) => (isRecord(row) ? render(row, kind, inside, account) : row))
  return { ...list, data, has_more: rows.length > shown.length }
}

const backReferences: Readonly<Record<string, Extractor>> = {
  customer: idIn('customer'),
  invoice: idIn('invoice'),
}

function related(
  rule: Extract<FieldRule, { is: 'related' }>,
  inside: Expansion,
  account: Account,
  owner: AccountJson,
): unknown {
  const extract = backReferences[rule.by]
  const ownerId = owner['id']
  if (extract === undefined || typeof ownerId !== 'string') return undefined
  const all: Rows = account?.collection(rule.to).group(extract, ownerId) ?? []
  const rows = rule.to === 'subscription' ? all.filter((row) => row['status'] !== 'canceled') : all
  const url =
    rule.to === 'subscription'
      ? `/v1/customers/${ownerId}/subscriptions`
      : `/v1/invoice_payments?invoice=${ownerId}`
  return renderList(rule.to, { object: 'list', data: rows, has_more: false, url }, inside, account)
}
