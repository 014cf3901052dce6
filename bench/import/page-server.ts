/**
 * A simulated Stripe of any size in a separate process. It repeats the customers of one small account under other ids, so
 * it can generate a million invoices on demand. The simulator itself answers everything except long lists.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStripeSimulator } from '#simulators/stripe/simulator.ts'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'

const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000
const repeated = ['/v1/customers', '/v1/subscriptions', '/v1/invoices', '/v1/invoice_payments']
const lapOfId = /((?:cus|sub|si|in|il|ii|inpay|di|pi|pm|evt)_)(\d+)x/
const ownIds = /"(cus|sub|si|in|il|ii|inpay|di|pi|pm|evt)_(?=[A-Za-z0-9]{14,}")/

/** An object as text, split where the number of its lap belongs. */
type Template = { id: string; created: number; pieces: string[] }

const [customers, months, laps] = process.argv.slice(2).map(Number) as [number, number, number]
const { world } = generateWorld({ seed: 7, customers, months, asOf })
const simulator = createStripeSimulator({ world: readWorld(world), limits: null })
const templates = new Map<string, Promise<Template[]>>()
let requestCount = 0
let delay = 0

const ask = async (url: string, headers: Record<string, string>) => {
  const answer = await simulator.fetch(new Request(url, { headers }))
  return { status: answer.status, text: await answer.text() }
}

/** The simulator's whole list for this request, newest first. */
async function readTemplates(url: URL, headers: Record<string, string>): Promise<Template[]> {
  const question = new URL(url)
  for (const name of [...question.searchParams.keys()])
    if (name.startsWith('created') || name === 'starting_after') question.searchParams.delete(name)
  const found: Template[] = []
  for (;;) {
    const { text } = await ask(question.href, headers)
    const page = JSON.parse(text) as { data: { id: string; created: number }[]; has_more: boolean }
    for (const object of page.data) {
      const pieces = JSON.stringify(object).split(new RegExp(ownIds, 'g'))
      // Each split leaves the prefix of the id, which we append to the preceding piece.
      const texts = [pieces[0] ?? '']
      for (let at = 1; at < pieces.length; at += 2) {
        texts.push(`${texts.pop()}"${pieces[at]}_`, `x${pieces[at + 1]}`)
      }
      found.push({ id: object.id, created: object.created, pieces: texts })
    }
    const last = page.data.at(-1)
    if (!page.has_more || !last) return found
    question.searchParams.set('starting_after', last.id)
  }
}

async function listPage(url: URL, headers: Record<string, string>): Promise<string> {
  const kind = url.pathname
  const listed = `${kind} ${url.searchParams.get('status')}`
  const known = templates.get(listed) ?? readTemplates(url, headers)
  templates.set(listed, known)
  const list = await known
  const bound = (name: string, otherwise: number) =>
    Number(url.searchParams.get(`created[${name}]`) ?? otherwise)
  const newest = Math.min(bound('lt', Number.POSITIVE_INFINITY), bound('lte', Number.POSITIVE_INFINITY) + 1)
  const start = firstIndex(list, (one) => one.created < newest) * laps
  const end = firstIndex(list, (one) => one.created < bound('gte', 0)) * laps
  const cursor = url.searchParams.get('starting_after')
  const from = cursor === null ? start : Math.max(start, positionOf(list, cursor) + 1)
  const until = Math.min(end, from + Number(url.searchParams.get('limit') ?? 10))
  const data: string[] = []
  for (let at = from; at < until; at += 1)
    data.push(list[Math.floor(at / laps)]?.pieces.join(String(at % laps)) ?? '')
  return `{"object":"list","url":"${kind}","has_more":${until < end},"data":[${data.join()}]}`
}

function positionOf(list: Template[], cursor: string): number {
  const lap = Number(lapOfId.exec(cursor)?.[2])
  const id = cursor.replace(lapOfId, '$1')
  return list.findIndex((one) => one.id === id) * laps + lap
}

/** The first index from which the condition holds. */
function firstIndex(list: Template[], holds: (one: Template) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = list[middle]
    if (one && holds(one)) high = middle
    else low = middle + 1
  }
  return low
}

const server = createServer(async (request, answer) => {
  const url = new URL(request.url ?? '/', 'http://stripe.test')
  if (url.pathname === '/_count') {
    delay = Number(url.searchParams.get('delay') ?? delay)
    answer.end(JSON.stringify({ requestCount }))
    requestCount = 0
    return
  }
  requestCount += 1
  const headers = { authorization: request.headers.authorization ?? '' }
  const waited = delay > 0 ? sleep(delay) : undefined
  let status = 200
  let text: string
  if (repeated.includes(url.pathname)) text = await listPage(url, headers)
  else {
    const lap = lapOfId.exec(url.href)?.[2] ?? '0'
    const plain = await ask(url.href.replaceAll(new RegExp(lapOfId, 'g'), '$1'), headers)
    status = plain.status
    text = plain.text.replaceAll(new RegExp(ownIds, 'g'), `"$1_${lap}x`)
  }
  await waited
  const body = Buffer.from(text)
  answer.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length })
  answer.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
process.on('disconnect', () => process.exit(0))
