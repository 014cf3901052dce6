import { endWhenAsked } from '#server/shutdown.ts'
import { startSimulators } from '#simulators/start-simulators.ts'
import { makeFolder } from './make-folder.ts'

const stopWithinMs = 5_000

/** The options as on the command line. */
export type SimulatorArguments = {
  world?: string | undefined
  'stripe-port'?: string | undefined
  'hubspot-port'?: string | undefined
  data?: string | undefined
  customers?: string | undefined
}

/** Runs both simulators until they are stopped, and prints their addresses. */
export async function simulators(given: SimulatorArguments): Promise<void> {
  if (given.data !== undefined) makeFolder(given.data)
  const running = await startSimulators({
    stripePort: numberOf(given['stripe-port'], 'stripe-port') ?? 12_111,
    hubspotPort: numberOf(given['hubspot-port'], 'hubspot-port') ?? 12_112,
    nowMs: Date.now,
    ...(given.world !== undefined && { worldFile: given.world }),
    ...(given.data !== undefined && { folder: given.data }),
    ...(given.customers !== undefined && { customers: numberOf(given.customers, 'customers') ?? 300 }),
  })
  process.stdout.write(`Simulated Stripe   ${running.stripeUrl}\nSimulated HubSpot  ${running.hubspotUrl}\n`)
  process.send?.({ ready: true })
  endWhenAsked(stopWithinMs, () => running.stop())
}

function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 0 && number < 65_536) return number
  process.stderr.write(`--${name}: must be a whole number\n`)
  process.exit(2)
}
