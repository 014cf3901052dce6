/**
 * Sends signed webhooks to a real server at a constant rate, each with an unknown change: during a full import, and while
 * nothing else runs.
 */
import { rmSync } from 'node:fs'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { fillDemo, openDemo } from '../tools/demo.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { startProduct } from '../tools/product.ts'
import { atConstantRate, quantile, type Timed } from './constant-rate.ts'

const signingSecret = 'whsec_of_the_bench'
const rate = { perSecond: 20, seconds: 15 }
/** Stripe may treat a slower answer as no answer. */
const msMax = 200

/** One line: answer times, each from the due time of its delivery, and how far an import slows them down. */
export async function run() {
  const folder = temporaryFolder('tributary-bench-')
  const product = await startProduct({ folder, environment: { LOG_LEVEL: 'warn' }, say: () => {} })
  try {
    await fillDemo({ address: product.address, say: () => {} })
    const browser = await openDemo(product.address)
    const { address } = await browser.call('PUT', '/api/stripe/webhook', { signingSecret })
    const send = createDeliveries(String(address))
    // Warms the server up, so that we measure one that has run for a while.
    await atConstantRate(rate, send)
    const { importId } = await browser.call('POST', '/api/import/historical', { restart: true })
    const beside: Timed[] = []
    for (let status: unknown = 'started'; status === 'started'; ) {
      beside.push(...(await atConstantRate({ ...rate, seconds: 1 }, send)))
      status = (await browser.call('GET', `/api/import/historical/${importId}/progress`))['status']
    }
    const alone = await atConstantRate(rate, send)
    const all = [...alone, ...beside]
    const figures = {
      p50Ms: rounded(quantile(alone, 0.5)),
      p99Ms: rounded(quantile(alone, 0.99)),
      besideP50Ms: rounded(quantile(beside, 0.5)),
      besideP99Ms: rounded(quantile(beside, 0.99)),
      slowestMs: rounded(Math.max(...all.map(({ ms }) => ms))),
      slowed: rounded(quantile(beside, 0.5) / quantile(alone, 0.5)),
      deliveries: alone.length,
      besideDeliveries: beside.length,
      refused: all.filter(({ status }) => status !== 200).length,
    }
    const broken = [
      ...(figures.slowestMs >= msMax ? [`slowestMs is not under ${msMax}`] : []),
      ...(figures.refused > 0 ? ['refused'] : []),
    ]
    return { bench: 'webhooks', ...figures, broken }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each delivery names a different change of a different subscription. */
function createDeliveries(address: string): () => Promise<{ status: number }> {
  let count = 0
  return async () => {
    count += 1
    const created = Math.floor(Date.now() / 1000)
    const subscription = { id: `sub_bench${count}`, object: 'subscription', created, status: 'active' }
    const event = {
      id: `evt_bench${count}`,
      object: 'event',
      type: 'customer.subscription.updated',
      created,
      livemode: false,
      data: { object: subscription },
    }
    const answer = await fetch(deliveryOf(event, { url: address, secret: signingSecret }, created))
    await answer.arrayBuffer()
    return { status: answer.status }
  }
}

const rounded = (value: number) => Math.round(value * 100) / 100
