import type { Truth } from './expected/truth.ts'
import { createMachine, type MachineOptions } from './machine.ts'
import type { GeneratedWorld } from './model/stripe-object.ts'

/**
 * A believable account and the truth about it: 300 customers and 24 months of history by default.
 * The truth comes from what the simulated customers did, never from invoices; equal options give equal bytes.
 */
export function generateWorld(options: MachineOptions): { world: GeneratedWorld; truth: Truth } {
  const machine = createMachine(options)
  machine.runTo(options.asOf)
  return machine.snapshot()
}
