import { describe, expect, test } from 'vitest'
import { ask, at, idsOf, listIds, simulate } from '../testing/ask.ts'
import { worldStart } from '../testing/stripe-objects.ts'

const simulator = simulate()

describe('subscriptions by status', () => {
  test.each([
    [
      'without status the canceled ones are left out',
      '',
      ['sub_many', 'sub_one', 'sub_inline', 'sub_expired'],
    ],
    ['all', '?status=all', ['sub_many', 'sub_one', 'sub_inline', 'sub_expired', 'sub_ended']],
    ['ended', '?status=ended', ['sub_expired', 'sub_ended']],
    ['canceled', '?status=canceled', ['sub_ended']],
    ['one status', '?status=past_due', ['sub_inline']],
    ['an empty one', '?status=unpaid', []],
  ])('%s', async (_name, query, ids) => {
    expect(await listIds(simulator, `/v1/subscriptions${query}`)).toEqual(ids)
  })

  test('a status that does not exist is refused', async () => {
    const answer = await ask(simulator, '/v1/subscriptions?status=live')
    expect(answer.status).toBe(400)
    expect(at(answer.body, 'error.param')).toBe('status')
  })
})

describe('filters', () => {
  test.each([
    ['/v1/subscriptions?price=price_inline', ['sub_inline']],
    ['/v1/subscriptions?customer=cus_one', ['sub_one']],
    ['/v1/subscriptions?status=all&customer=cus_gone', ['sub_ended']],
    ['/v1/invoices?customer=cus_two', ['in_loose']],
    ['/v1/invoices?subscription=sub_one', ['in_many', 'in_one']],
    ['/v1/invoices?subscription=sub_one&status=open', ['in_many']],
    ['/v1/customers?email=cus_two@example.com', ['cus_two']],
    ['/v1/customers?email=CUS_TWO@example.com', []],
    ['/v1/products', ['prod_seats', 'prod_old']],
    ['/v1/products?active=false', ['prod_old']],
    ['/v1/products?ids[]=prod_old&ids[]=prod_none', ['prod_old']],
    ['/v1/prices', ['price_tiered', 'price_monthly']],
    ['/v1/prices?active=false', ['price_archived']],
    ['/v1/prices?recurring[interval]=year', []],
    ['/v1/invoice_payments?invoice=in_one', ['inpay_one']],
    ['/v1/invoice_payments?payment[type]=payment_record', []],
    ['/v1/payment_methods?customer=cus_one&type=card', ['pm_card']],
    ['/v1/events', ['evt_new', 'evt_paid']],
    ['/v1/events?type=customer.*', ['evt_new']],
    ['/v1/events?types[0]=invoice.paid&types[1]=invoice.voided', ['evt_paid']],
    ['/v1/test_helpers/test_clocks', ['clock_one']],
  ])('%s', async (path, ids) => {
    expect(await listIds(simulator, path)).toEqual(ids)
  })

  test('what is tied to a test clock, and what is deleted, shows only when asked for', async () => {
    expect(await listIds(simulator, '/v1/customers')).toEqual(['cus_two', 'cus_card', 'cus_one'])
    expect(await listIds(simulator, '/v1/customers?test_clock=clock_one')).toEqual(['cus_clock'])
    expect(await listIds(simulator, '/v1/subscriptions?customer=cus_clock')).toEqual(['sub_clock'])
    const gone = await ask(simulator, '/v1/customers/cus_gone')
    expect(gone.body).toEqual({ id: 'cus_gone', object: 'customer', deleted: true })
  })

  test('an inline price is not listed and can be retrieved', async () => {
    expect(await listIds(simulator, '/v1/prices?active=false')).not.toContain('price_inline')
    expect((await ask(simulator, '/v1/prices/price_inline')).body['id']).toBe('price_inline')
  })
})

describe('created windows on the second in which two invoices were made', () => {
  const second = worldStart + 100
  test.each([
    [`created=${second}`, ['in_many', 'in_loose']],
    [`created[gte]=${second}`, ['in_many', 'in_loose']],
    [`created[gt]=${second}`, []],
    [`created[lte]=${second}`, ['in_many', 'in_loose', 'in_one']],
    [`created[lt]=${second}`, ['in_one']],
    [`created[gte]=${worldStart}&created[lt]=${second}`, ['in_one']],
    [`created[gt]=${worldStart - 1}&created[lte]=${second - 1}`, ['in_one']],
  ])('%s', async (query, ids) => {
    expect(await listIds(simulator, `/v1/invoices?${query}`)).toEqual(ids)
  })
})

describe('paging', () => {
  test('walks to older and to newer objects inside one second', async () => {
    const first = await ask(simulator, '/v1/invoices?limit=1')
    expect([idsOf(first.body), first.body['has_more']]).toEqual([['in_many'], true])
    expect(await listIds(simulator, '/v1/invoices?limit=1&starting_after=in_many')).toEqual(['in_loose'])
    const newer = await ask(simulator, '/v1/invoices?limit=1&ending_before=in_one')
    expect([idsOf(newer.body), newer.body['has_more']]).toEqual([['in_loose'], true])
  })

  test('lines and items page in their own order', async () => {
    const path = '/v1/invoices/in_many/lines?limit=10'
    const second = await ask(simulator, `${path}&starting_after=il_many9`)
    expect([idsOf(second.body)[0], second.body['has_more']]).toEqual(['il_many10', true])
    const last = await ask(simulator, `${path}&starting_after=il_many19`)
    expect([idsOf(last.body).length, last.body['has_more']]).toEqual([5, false])
    const back = await ask(simulator, `${path}&ending_before=il_many5`)
    expect([idsOf(back.body).length, back.body['has_more']]).toEqual([5, false])
    expect((await listIds(simulator, '/v1/subscription_items?subscription=sub_many&limit=100')).length).toBe(
      12,
    )
  })

  test('embedded lists are cut to ten and say so', async () => {
    const { body } = await ask(simulator, '/v1/invoices')
    expect([at(body, 'data.0.lines.data.length'), at(body, 'data.0.lines.has_more')]).toEqual([10, true])
    expect([at(body, 'data.1.lines.data.length'), at(body, 'data.1.lines.has_more')]).toEqual([1, false])
    const many = await ask(simulator, '/v1/subscriptions/sub_many')
    expect([at(many.body, 'items.data.length'), at(many.body, 'items.has_more')]).toEqual([10, true])
  })
})
