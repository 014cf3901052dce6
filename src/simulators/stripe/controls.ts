import type { Env, Hono } from 'hono'
import { type FaultBoard, FaultError, readFault } from './faults/faults.ts'
import type { RequestLedger } from './requests/ledger.ts'
import { WorldError } from './world/world.ts'
import { readWorldChange, type WorldChange } from './world/world-changes.ts'

/**
 * The control calls, without a key: POST, DELETE and GET /_faults, POST /_changes, GET /_requests (counters, writes,
 * last requests) and DELETE /_requests. They are not recorded.
 */
export function mountControls<E extends Env>(
  app: Hono<E>,
  parts: {
    readonly requests: RequestLedger
    readonly faults: FaultBoard
    readonly change: (change: WorldChange) => void
  },
): void {
  const { faults, requests, change } = parts
  app.get('/_faults', (context) => context.json({ faults: faults.list }))
  app.post('/_faults', async (context) => {
    try {
      const fault = readFault(await context.req.json())
      faults.add(fault)
      return context.json({ fault }, 201)
    } catch (error) {
      if (!isOfCaller(error)) throw error
      return context.json({ error: error.message }, 400)
    }
  })
  app.post('/_changes', async (context) => {
    try {
      change(readWorldChange(await context.req.json()))
      return context.json({}, 200)
    } catch (error) {
      if (!isOfCaller(error)) throw error
      return context.json({ error: error.message }, 400)
    }
  })
  app.delete('/_faults', (context) => {
    faults.clear()
    return context.json({ faults: [] })
  })
  app.get('/_requests', (context) =>
    context.json({ ...requests.counters, writeEntries: requests.writes, last: requests.entries }),
  )
  app.delete('/_requests', (context) => {
    requests.clear()
    return context.json(requests.counters)
  })
  app.all('/_*', (context) => context.json({ error: 'unknown control call' }, 404))
}

/** Whether the caller caused the error. */
function isOfCaller(error: unknown): error is Error {
  return error instanceof FaultError || error instanceof WorldError || error instanceof SyntaxError
}
