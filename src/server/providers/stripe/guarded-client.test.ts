import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { sendBy } from '#test/providers/send-by.ts'
import { GuardedClient, WallError, wallErrorIn } from './guarded-client.ts'

const timeoutMs = 1_000

function spying(answer: () => Response = () => Response.json({})) {
  const sent: string[] = []
  const send = sendBy(async (request) => {
    sent.push(`${request.method} ${request.url}`)
    return answer()
  })
  const client = new GuardedClient(send, 'http://stripe.test', undefined)
  const ask = (url: string, method = 'GET') => {
    const { protocol, hostname, port, pathname } = new URL(url)
    return client.makeRequest(hostname, port, pathname, method, {}, '', protocol.slice(0, -1), timeoutMs)
  }
  return { sent, client, ask }
}

describe('the wall around Stripe', () => {
  it('lets what it is asked for out, as it is', async () => {
    const { sent, ask } = spying()
    expect(await (await ask('http://stripe.test/v1/customers')).toJSON()).toEqual({})
    expect(sent).toEqual(['GET http://stripe.test/v1/customers'])
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'post'])('lets no %s out', async (method) => {
    const { sent, ask } = spying()
    await expect(ask('http://stripe.test/v1/customers', method)).rejects.toThrow(WallError)
    expect(sent).toEqual([])
  })

  it.each([
    'http://elsewhere.test/v1/customers',
    'https://stripe.test/v1/customers',
    'http://stripe.test:81/v1/customers',
  ])('lets nothing out to %s', async (url) => {
    const { sent, ask } = spying()
    await expect(ask(url)).rejects.toThrow(WallError)
    expect(sent).toEqual([])
  })

  it('lets nothing out to a host that hides in the path', async () => {
    const { sent, client } = spying()
    await expect(
      client.makeRequest('stripe.test', '80', '@elsewhere.test/v1', 'GET', {}, '', 'http', timeoutMs),
    ).rejects.toThrow(WallError)
    expect(sent).toEqual([])
  })

  it('stops a write of the SDK itself', async () => {
    const { sent, client } = spying()
    const stripe = new Stripe('sk_test_x', {
      host: 'stripe.test',
      port: 80,
      protocol: 'http',
      maxNetworkRetries: 0,
      httpClient: client,
    })
    const error: unknown = await stripe.customers
      .create({ name: 'Nobody' })
      .catch((refused: unknown) => refused)
    expect(wallErrorIn(error)).toBeInstanceOf(WallError)
    const cancelling: unknown = await stripe.subscriptions
      .cancel('sub_one')
      .catch((refused: unknown) => refused)
    expect(wallErrorIn(cancelling)).toBeInstanceOf(WallError)
    expect(sent).toEqual([])
    await stripe.customers.list()
    expect(sent).toEqual(['GET http://stripe.test/v1/customers'])
  })

  it.each([301, 302, 307, 308])('follows no redirect (%i)', async (status) => {
    const { sent, ask } = spying(
      () => new Response('{}', { status, headers: { location: 'http://elsewhere.test/' } }),
    )
    await expect(ask('http://stripe.test/v1/customers')).rejects.toThrow('a redirect to elsewhere.test')
    expect(sent).toHaveLength(1)
  })

  it('gives an answer without end up', async () => {
    const megabyte = new Uint8Array(1024 * 1024)
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(megabyte) })
    const { ask } = spying(() => new Response(endless))
    await expect(ask('http://stripe.test/v1/customers')).rejects.toThrow(/without end/)
  })
})
