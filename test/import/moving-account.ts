import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'

/** Unix seconds at which a moving account is first looked at. */
export const dayZero = Date.parse('2026-09-01T12:00:00Z') / 1000
export const hourSeconds = 3600
export const daySeconds = 24 * hourSeconds

/** An account whose time can be moved on: gives it as it is at an instant, which must not go back. */
export function movingAccount(seed: number, customers: number): (at: number) => SimulatedWorld {
  const machine = createMachine({ seed, customers, months: 6, asOf: dayZero })
  return (at) => {
    machine.runTo(at)
    return readWorld(machine.snapshot().world)
  }
}

/** What a scheduled import is asked for: the hour before. */
export function lastHour(at: number): { mode: 'window'; from: Date; until: Date } {
  return { mode: 'window', from: new Date((at - hourSeconds) * 1000), until: new Date(at * 1000) }
}
