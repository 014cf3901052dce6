import { expect, it } from 'vitest'
import { sendBy } from '#test/providers/send-by.ts'
import { createStripePayments } from './create-stripe-payments.ts'

const list = '{"object":"list","data":[{"id":"cus_1","object":"customer","created":1}],"has_more":false}'

/** A reader of a Stripe that gives this answer to every request. */
function readerOf(answer: () => Response) {
  let asked = 0
  const payments = createStripePayments({
    apiUrl: 'http://stripe.test',
    send: sendBy(async () => {
      asked += 1
      return answer()
    }),
    now: () => new Date(0),
    sleep: async () => {},
    paces: null,
  })
  // A live account has no test clocks, so no additional lists are requested.
  const reader = payments.open('sk_live_tributary_demo', { organizationId: 1 })
  return { reader, asked: () => asked }
}

function breakingOff(): Response {
  let isFirst = true
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isFirst) controller.enqueue(new TextEncoder().encode(list.slice(0, 20)))
      else controller.error(new TypeError('terminated'))
      isFirst = false
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

it('takes the plain answer, so that what follows can fail', async () => {
  const { reader, asked } = readerOf(() => new Response(list))
  expect((await reader.listPage('customers', { after: null })).items).toHaveLength(1)
  expect(asked()).toBe(1)
})

it.each<[string, () => Response]>([
  ['an HTML page', () => new Response(' <!doctype html><p>Sign in to the network</p>')],
  ['an HTML page and status 503', () => new Response('<html>', { status: 503 })],
  ['an empty answer', () => new Response('')],
  ['an empty answer', () => new Response(' \n', { headers: { 'content-type': 'application/json' } })],
  ['an answer that breaks off', () => new Response(list.slice(0, -10))],
  ['an answer that breaks off', breakingOff],
  ['something that is not JSON', () => new Response('upstream connect error')],
  ['something that is not JSON', () => new Response('{"object": list}')],
  ['something else than a list', () => new Response('{"status":"ok"}')],
  ['a list of something else than customer', () => new Response(list.replaceAll('customer', 'invoice'))],
  ['a list without its parts', () => new Response('{"object":"list","data":{}}')],
  [
    'a redirect to portal.example.com',
    () => new Response(null, { status: 302, headers: { location: 'https://portal.example.com/login?a=1' } }),
  ],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/elsewhere' } })],
])('asks again for %s and then says so', async (what, answer) => {
  const { reader, asked } = readerOf(answer)
  await expect(reader.listPage('customers', { after: null })).rejects.toMatchObject({
    kind: 'unavailable',
    message: `Stripe answered with ${what} when asked for the customers. Try again in a few minutes.`,
  })
  expect(asked()).toBe(6)
})

it('asks again as often as it says, whatever the connection failed with', async () => {
  let asked = 0
  const payments = createStripePayments({
    apiUrl: 'http://stripe.test',
    send: async () => {
      asked += 1
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    },
    now: () => new Date(0),
    sleep: async () => {},
    paces: null,
  })
  const reader = payments.open('sk_live_tributary_demo', { organizationId: 1 })
  await expect(reader.listPage('customers', { after: null })).rejects.toMatchObject({
    message: 'Stripe could not be reached for the customers. Try again in a few minutes.',
  })
  expect(asked).toBe(6)
})
