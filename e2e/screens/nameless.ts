import type { Page } from 'playwright-core'
import { switchAllOff, switchOn } from '../faults.ts'
import { oneAtATime } from '../lock-world.ts'
import { becomeOwner, connectStripeByCall, enter, importByCall } from '../prepare.ts'
import type { ScreenWorld } from './look.ts'

const owner = { name: 'Nan Nameless', email: 'nan@nameless.example', password: 'a-long-enough-passphrase' }
/** A key that nobody else in the shared world uses, so that only this organization gets objects without names. */
const key = 'rk_test_tributary_demo'
const faults = [
  { kind: 'field', match: { pathPrefix: '/v1/customers' }, path: 'data.*.name', value: null },
  { kind: 'field', match: { pathPrefix: '/v1/products?' }, path: 'data', value: [] },
  { kind: 'status', match: { pathPrefix: '/v1/products/' }, status: 404, code: 'resource_missing' },
]

/** The owner of an organization whose Stripe objects have no names; the first caller fills it. */
export function namelessOwner(look: ScreenWorld): Promise<Page> {
  return oneAtATime(look, () => arrive(look))
}

async function arrive(look: ScreenWorld): Promise<Page> {
  const { page } = await look.newPerson()
  const isKnown = await enter(page, owner).then(
    () => true,
    () => false,
  )
  if (isKnown) return page
  await becomeOwner(page, owner, 'Nameless')
  await connectStripeByCall(page, key)
  for (const { match, ...fault } of faults)
    await switchOn(look.stripeUrl, { ...fault, match: { ...match, times: null, key } })
  await importByCall(page)
  await switchAllOff(look.stripeUrl)
  return page
}
