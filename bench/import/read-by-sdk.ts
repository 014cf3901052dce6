/** Fetches and parses every list through the SDK, nested lists to their end, and stores nothing. */
import Stripe from 'stripe'
import { type PaymentsKind, windowKinds } from '#server/providers/payments.ts'
import { listRequests, nestedRequests, pageMax } from '#server/providers/stripe/requests.ts'

const [address = '', order] = process.argv.slice(2)
const url = new URL(address)
const stripe = new Stripe('sk_test_tributary_demo', {
  host: url.hostname,
  port: url.port,
  protocol: 'http',
  telemetry: false,
})

type Nested = { has_more: boolean }
type Listed = { data: { id: string; lines?: Nested; items?: Nested }[]; has_more: boolean }

async function readList(kind: PaymentsKind) {
  let [objects, pages, nestedPages] = [0, 0, 0]
  for (let after: string | undefined; ; ) {
    const params = { limit: pageMax, ...(after !== undefined && { starting_after: after }) }
    const page = (await listRequests[kind].list(stripe, params)) as Listed
    const nested = page.data.flatMap(({ id, lines, items }) => [
      ...(lines?.has_more ? [nestedRequests.lines(stripe, id, { limit: pageMax })] : []),
      ...(items?.has_more ? [nestedRequests.items(stripe, id, { limit: pageMax })] : []),
    ])
    await Promise.all(nested)
    objects += page.data.length
    pages += 1
    nestedPages += nested.length
    after = page.data.at(-1)?.id
    if (!page.has_more) return { kind, objects, pages, nestedPages }
  }
}

const started = performance.now()
const read = []
if (order === 'beside') read.push(...(await Promise.all(windowKinds.map(readList))))
else for (const kind of windowKinds) read.push(await readList(kind))
process.send?.({ seconds: (performance.now() - started) / 1000, read })
process.disconnect?.()
