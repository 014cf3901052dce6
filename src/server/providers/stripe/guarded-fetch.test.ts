import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { guardFetch, StrangeAnswer, WallError, wallErrorIn } from './guarded-fetch.ts'

const origin = 'http://stripe.test'

function spying(answer: () => Response = () => Response.json({})) {
  const sent: string[] = []
  const guarded = guardFetch(
    async (request) => {
      sent.push(`${request.method} ${request.url}`)
      return answer()
    },
    origin,
    undefined,
  )
  return { sent, guarded }
}

describe('the wall around Stripe', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'post'])('lets no %s out', async (method) => {
    const { sent, guarded } = spying()
    await expect(guarded(`${origin}/v1/customers`, { method })).rejects.toThrow(WallError)
    await expect(guarded(new Request(`${origin}/v1/customers`, { method }))).rejects.toThrow(WallError)
    expect(sent).toEqual([])
  })

  it.each([
    'http://elsewhere.test/v1/customers',
    'https://stripe.test/v1/customers',
    'http://stripe.test:81/v1/customers',
    'http://stripe.test@elsewhere.test/v1/customers',
  ])('lets nothing out to %s', async (url) => {
    const { sent, guarded } = spying()
    await expect(guarded(url)).rejects.toThrow(WallError)
    expect(sent).toEqual([])
  })

  it('stops a write of the SDK itself', async () => {
    const { sent, guarded } = spying()
    const stripe = new Stripe('sk_test_x', {
      host: 'stripe.test',
      port: 80,
      protocol: 'http',
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient(guarded),
    })
    const error: unknown = await stripe.customers
      .create({ name: 'Nobody' })
      .catch((refused: unknown) => refused)
    expect(wallErrorIn(error)).toBeInstanceOf(WallError)
    await expect(stripe.subscriptions.cancel('sub_one')).rejects.toThrow()
    expect(sent).toEqual([])
    await stripe.customers.list()
    expect(sent).toEqual(['GET http://stripe.test/v1/customers'])
  })

  it.each([301, 302, 307, 308])('follows no redirect (%i)', async (status) => {
    const { sent, guarded } = spying(
      () => new Response(null, { status, headers: { location: 'http://elsewhere.test/' } }),
    )
    await expect(guarded(`${origin}/v1/customers`)).rejects.toThrow(StrangeAnswer)
    expect(sent).toHaveLength(1)
  })

  it('gives an answer without end up', async () => {
    const megabyte = new Uint8Array(1024 * 1024)
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(megabyte) })
    const { guarded } = spying(() => new Response(endless))
    await expect(guarded(`${origin}/v1/customers`)).rejects.toThrow(/without end/)
  })
})
