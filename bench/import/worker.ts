/**
 * A worker process as the product starts it, except for its request rate: 0 means no limit, otherwise requests per
 * second.
 */
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
  // The account's limit exceeds the sum of all endpoints, so only theirs applies.
  limits: { perSecond: 20 * perEndpointPerSecond, perEndpointPerSecond },
})
await startWorkerProcess(deps, metrics)
process.on('message', () => {
  process.send?.({ rssMb: process.resourceUsage().maxRSS / 1024 })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
