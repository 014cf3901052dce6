import type Stripe from 'stripe'
import type { CallStripe } from './call-stripe.ts'
import { at, fieldsOf, isTrue } from './from-stripe/read-fields.ts'
import { StrangeAnswer } from './guarded-client.ts'
import { readNextPage } from './read-list.ts'
import { nestedRequests, pageMax } from './requests.ts'
import { isResourceMissing } from './to-provider-error.ts'

type NestedList = keyof typeof nestedRequests

const nestedOf: Readonly<Record<string, { list: NestedList; object: string; endpoint: string }>> = {
  subscription: { list: 'items', object: 'subscription_item', endpoint: '/v1/subscription_items' },
  invoice: { list: 'lines', object: 'line_item', endpoint: '/v1/invoices/:id/lines' },
}

/** No object has more than this many pages of a hundred nested entries. */
const pagesMax = 1_000

type Holder = { id: string; object: string }

/** Whether the nested list continues: an answer contains only its first ten entries. */
export function hasMoreInside(object: Holder): boolean {
  const nested = nestedOf[object.object]
  return nested !== undefined && isTrue(at(object, nested.list)['has_more'])
}

/** The object with its nested list complete. */
export async function withWholeList(object: Holder, stripe: Stripe, call: CallStripe): Promise<unknown> {
  const nested = nestedOf[object.object]
  if (!nested || !hasMoreInside(object)) return object
  const data = await listNested(object.id, nested, stripe, call)
  return { ...fieldsOf(object), [nested.list]: { object: 'list', data, has_more: false } }
}

async function listNested(
  ownerId: string,
  nested: (typeof nestedOf)[string],
  stripe: Stripe,
  call: CallStripe,
): Promise<unknown[]> {
  const found = new Map<string, unknown>()
  let after: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const params = { limit: pageMax, ...(after !== undefined && { starting_after: after }) }
    const answer = await call(nested.endpoint, `the ${nested.list} of ${ownerId}`, () =>
      nestedRequests[nested.list](stripe, ownerId, params).then((list) =>
        readNextPage(list, nested.object, after, found),
      ),
    ).catch((error: unknown) => {
      // The cursor's entry was deleted: the list has changed, so it is read again from the start.
      if (after === undefined || !isResourceMissing(error)) throw error
      return undefined
    })
    if (answer === undefined) {
      found.clear()
      after = undefined
      continue
    }
    for (const entry of answer.objects) found.set(entry.id, entry)
    after = answer.objects.at(-1)?.id
    if (!answer.hasMore) return [...found.values()]
  }
  throw new StrangeAnswer('a list inside an object that has no end')
}
