import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'

/** Unix seconds of the first look at a moving account. */
export const dayZero = Date.parse('2026-09-01T12:00:00Z') / 1000
export const hourSeconds = 3600
export const daySeconds = 24 * hourSeconds

/** An account with a moving clock: returns its state at an instant, which must not go back. */
export function movingAccount(seed: number, customers: number): (at: number) => SimulatedWorld {
  const machine = createMachine({ seed, customers, months: 6, asOf: dayZero })
  return (at) => {
    machine.runTo(at)
    return readWorld(machine.snapshot().world)
  }
}

/** The request of a scheduled import: the previous hour. */
export function lastHour(at: number): { mode: 'window'; from: Date; until: Date } {
  return { mode: 'window', from: new Date((at - hourSeconds) * 1000), until: new Date(at * 1000) }
}
