import { describe, expect, it } from 'vitest'
import { thinOf } from '#simulators/stripe/webhooks.ts'
import { objectsOfEvent } from './read-event.ts'
import { readThinEvent } from './read-thin-event.ts'

const thin = (type: string, url: string, more: object = {}) =>
  readThinEvent({
    ...{ id: 'evt_1', object: 'v2.core.event', created: '2026-10-01T00:00:01.500Z', livemode: true },
    ...{ type, related_object: { url }, ...more },
  })

describe('a thin event', () => {
  it.each([
    ['v1.customer.updated', '/v1/customers/cus_1', 'customers', 'cus_1', false],
    ['v1.customer.deleted', '/v1/customers/cus_1', 'customers', 'cus_1', true],
    ['v1.customer.discount.deleted', '/v1/customers/cus_1/discount', 'customers', 'cus_1', false],
    ['v1.customer.tax_id.deleted', '/v1/customers/cus_1/tax_ids/txi_1', 'customers', 'cus_1', false],
    ['v1.customer.subscription.deleted', '/v1/subscriptions/sub_1', 'subscriptions', 'sub_1', false],
    ['v1.customer.subscription.item_added', '/v1/subscriptions/sub_1', 'subscriptions', 'sub_1', false],
    ['v1.invoice.deleted', '/v1/invoices/in_1', 'invoices', 'in_1', true],
    ['v1.invoice_payment.paid', '/v1/invoice_payments/inpay_1', 'invoice_payments', 'inpay_1', false],
    ['v1.coupon.deleted', '/v1/coupons/10OFF', 'coupons', '10OFF', true],
  ])('%s at %s names its object', (type, url, kind, id, isGone) => {
    expect(thin(type, url)?.objects).toEqual([{ kind, id, createdAt: null, isGone }])
  })

  it.each(['/v2/core/accounts/acct_1', '/v1/charges/ch_1', '/v1/constructor/x', 'customers', ''])(
    'at %j names nothing that is kept',
    (url) => expect(thin('v1.x.updated', url)).toMatchObject({ id: 'evt_1', objects: [] }),
  )

  it('has its time in seconds, and the account at the end of its context', () => {
    expect(thin('v1.price.updated', '/v1/prices/price_1', { context: 'org_1/acct_2' })).toMatchObject({
      ...{ at: Date.parse('2026-10-01T00:00:01Z') / 1000, isLive: true, accountId: 'acct_2' },
    })
    expect(thin('v1.price.updated', '/v1/prices/price_1', { context: null })?.accountId).toBeNull()
  })

  it.each([{ id: null }, { created: null }, { created: 1_790_000_000 }])('with %j is none', (more) => {
    expect(thin('v1.price.updated', '/v1/prices/price_1', more)).toBeUndefined()
  })

  it.each([
    ['customer.updated', { id: 'cus_1', object: 'customer' }],
    ['customer.discount.created', { id: 'di_1', object: 'discount', customer: 'cus_1', subscription: null }],
    ['customer.discount.created', { id: 'di_1', object: 'discount', customer: null, subscription: 'sub_1' }],
    ['price.deleted', { id: 'price_1', object: 'price' }],
  ])('says of %s what its snapshot says', (type, object) => {
    const snapshot = {
      id: 'evt_2',
      object: 'event',
      created: 1_790_000_000,
      livemode: true,
      type,
      data: { object },
    }
    const read = readThinEvent(thinOf(snapshot))
    expect(read?.id).toBe('evt_2')
    expect(read?.objects).toEqual(objectsOfEvent(snapshot))
  })
})
