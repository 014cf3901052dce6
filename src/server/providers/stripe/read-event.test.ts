import { describe, expect, it } from 'vitest'
import { eventTypes } from './list-changes.ts'
import { objectsOfEvent } from './read-event.ts'

const event = (type: string, object: object, data: object = {}) => ({
  object: 'event',
  type,
  data: { object, ...data },
})
const named = (kind: string, id: string, more: object = {}) => ({
  kind,
  id,
  createdAt: null,
  isGone: false,
  ...more,
})

describe('what an event names', () => {
  it.each<[string, object, object[]]>([
    [
      'customer.updated',
      { object: 'customer', id: 'cus_1', created: 5 },
      [named('customers', 'cus_1', { createdAt: 5 })],
    ],
    [
      'customer.deleted',
      { object: 'customer', id: 'cus_1' },
      [named('customers', 'cus_1', { isGone: true })],
    ],
    [
      'customer.discount.created',
      { object: 'discount', id: 'di_1', customer: 'cus_1', subscription: null },
      [named('customers', 'cus_1')],
    ],
    [
      'customer.discount.deleted',
      { object: 'discount', id: 'di_1', customer: 'cus_1', subscription: 'sub_1' },
      [named('customers', 'cus_1'), named('subscriptions', 'sub_1')],
    ],
    [
      'customer.subscription.deleted',
      { object: 'subscription', id: 'sub_1', created: 7 },
      [named('subscriptions', 'sub_1', { createdAt: 7 })],
    ],
    [
      'customer.source.updated',
      { object: 'card', id: 'card_1', customer: 'cus_1' },
      [named('payers', 'cus_1')],
    ],
    [
      'payment_method.automatically_updated',
      { object: 'payment_method', id: 'pm_1', customer: 'cus_1' },
      [named('payers', 'cus_1')],
    ],
    ['coupon.updated', { object: 'coupon', id: 'TEN' }, [named('coupons', 'TEN')]],
    ['price.deleted', { object: 'price', id: 'price_1' }, [named('prices', 'price_1', { isGone: true })]],
    [
      'product.created',
      { object: 'product', id: 'prod_1', created: 9 },
      [named('products', 'prod_1', { createdAt: 9 })],
    ],
    ['invoice.voided', { object: 'invoice', id: 'in_1' }, [named('invoices', 'in_1')]],
    ['invoice.deleted', { object: 'invoice', id: 'in_1' }, [named('invoices', 'in_1', { isGone: true })]],
    [
      'invoice_payment.paid',
      { object: 'invoice_payment', id: 'inpay_1' },
      [named('invoice_payments', 'inpay_1')],
    ],
    ['invoice.upcoming', { object: 'invoice' }, []],
    ['credit_note.created', { object: 'credit_note', id: 'cn_1' }, []],
    ['charge.refunded', { object: 'charge', id: 'ch_1' }, []],
    ['invoiceitem.created', { object: 'invoiceitem', id: 'ii_1' }, []],
    ['subscription_schedule.released', { object: 'subscription_schedule', id: 'sub_sched_1' }, []],
  ])('%s', (type, object, expected) => {
    expect(objectsOfEvent(event(type, object))).toEqual(expected)
  })

  it('is the customer of before where a card was taken away', () => {
    const detached = event(
      'payment_method.detached',
      { object: 'payment_method', id: 'pm_1', customer: null },
      { previous_attributes: { customer: 'cus_1' } },
    )
    expect(objectsOfEvent(detached)).toEqual([named('payers', 'cus_1')])
  })

  it.each([[null], ['text'], [{}], [{ data: { object: [] } }]])('is nothing for %j', (value) => {
    expect(objectsOfEvent(value)).toEqual([])
  })
})

describe('the event types that are asked for', () => {
  it('are at most 20 in a request, each once', () => {
    expect(eventTypes.every((types) => types.length <= 20)).toBe(true)
    expect(new Set(eventTypes.flat()).size).toBe(eventTypes.flat().length)
  })
})
