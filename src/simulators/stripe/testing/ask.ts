import { createStripeSimulator, type StripeSimulator, type StripeSimulatorOptions } from '../simulator.ts'
import { isRecord } from '../world/world.ts'
import { smallWorld } from './small-world.ts'

export const origin = 'http://stripe.test'
const testKey = 'sk_test_tributary_demo'

export type SimulatorAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** A simulator with the small world and without rate limits, unless a test passes other options. */
export function simulate(options: Partial<StripeSimulatorOptions> = {}): StripeSimulator {
  return createStripeSimulator({ world: smallWorld(), limits: null, ...options })
}

export function get(path: string, key: string | undefined = testKey): Request {
  return new Request(origin + path, key === '' ? {} : { headers: { authorization: `Bearer ${key}` } })
}

export async function ask(simulator: StripeSimulator, path: string, key?: string): Promise<SimulatorAnswer> {
  const response = await simulator.fetch(get(path, key))
  const body: unknown = await response.json()
  return { status: response.status, headers: response.headers, body: isRecord(body) ? body : {} }
}

/** The value at a path such as `data.0.customer.id`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((from, step) => {
    if (Array.isArray(from)) return step === 'length' ? from.length : from[Number(step)]
    return isRecord(from) ? from[step] : undefined
  }, value)
}

/** The ids of a list answer. */
export function idsOf(body: SimulatorAnswer['body']): unknown[] {
  const data = body['data']
  return Array.isArray(data) ? data.map((row: unknown) => at(row, 'id')) : []
}

export async function listIds(simulator: StripeSimulator, path: string): Promise<unknown[]> {
  const answer = await ask(simulator, path)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return idsOf(answer.body)
}
