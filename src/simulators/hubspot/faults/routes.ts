import { Hono } from 'hono'
import { readJsonObject } from '../body.ts'
import type { SimulatorEnv } from '../caller.ts'
import type { RequestLedger } from '../requests.ts'
import { type FaultRules, readFault } from './rules.ts'

/** Switches faults on and off, and shows the received requests. */
export function faultRoutes(faults: FaultRules, requests: RequestLedger): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.get('/_faults', (c) => c.json({ results: faults.list() }))
  app.post('/_faults', async (c) => {
    const rule = readFault(await readJsonObject(c))
    faults.add(rule)
    return c.json(rule, 201)
  })
  app.delete('/_faults', (c) => {
    faults.clear()
    return c.body(null, 204)
  })
  app.get('/_requests', (c) => c.json(requests.counters()))
  app.delete('/_requests', (c) => {
    requests.clear()
    return c.body(null, 204)
  })
  return app
}
