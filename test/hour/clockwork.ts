/** Does planned things in the order of their times, and moves a simulated clock to each. */
export type Clockwork = {
  plan(at: number, act: () => Promise<void>): void
  /** Until nothing is planned up to `end`; later things stay planned. */
  runUntil(end: number): Promise<void>
}

/** `clock.ms` only moves forward; work may move it too, and then what is planned in between is late. */
export function createClockwork(clock: { readonly ms: number; moveTo(ms: number): void }): Clockwork {
  let planned: { at: number; act: () => Promise<void> }[] = []
  return {
    plan(at, act) {
      planned = [...planned, { at, act }].sort((a, b) => a.at - b.at)
    },
    async runUntil(end) {
      for (let next = planned[0]; next && next.at <= end; next = planned[0]) {
        planned = planned.slice(1)
        clock.moveTo(Math.max(clock.ms, next.at))
        await next.act()
      }
      clock.moveTo(Math.max(clock.ms, end))
    },
  }
}
