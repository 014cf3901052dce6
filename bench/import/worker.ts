/** A worker process as the product starts it, but for how fast it may ask: 0 as fast as it can, else requests a second. */
import { openProcess } from '#server/process.ts'
import { send } from '#server/providers/send.ts'
import { createStripePayments } from '#server/providers/stripe/create-stripe-payments.ts'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import { startWorkerProcess } from '#server/worker.ts'

const perEndpointPerSecond = Number(process.argv[2])
const { deps, metrics } = await openProcess({ name: 'worker', environment: process.env })
deps.payments = createStripePayments({
  send,
  apiUrl: deps.config.stripe.apiUrl,
  now: deps.now,
  sleep: deps.sleep,
  log: deps.log,
  paces: perEndpointPerSecond > 0 ? createRateLimits(deps.database) : null,
  // Of the account as a whole more than all endpoints together ask for.
  limits: { perSecond: 20 * perEndpointPerSecond, perEndpointPerSecond },
})
await startWorkerProcess(deps, metrics)
process.on('message', () => {
  process.send?.({ rssMb: process.resourceUsage().maxRSS / 1024 })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
