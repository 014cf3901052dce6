import type { Truth } from './expected/truth.ts'
import { createMachine, type MachineOptions } from './machine.ts'
import type { GeneratedWorld } from './model/stripe-object.ts'

/**
 * A believable account and the truth about it: 300 customers and 24 months of history unless told otherwise.
 * The truth comes from what the simulated customers did, never from the invoices; same options, same bytes.
 */
export function generateWorld(options: MachineOptions): { world: GeneratedWorld; truth: Truth } {
  const machine = createMachine(options)
  machine.runTo(options.asOf)
  return machine.snapshot()
}
