/** How much of a run was done at one moment. */
export type PaceSample = { atMs: number; processed: number }

/** A rate needs samples over at least this time, and uses at most the last minute. */
const shortestMs = 4_000
export const windowMs = 60_000

/**
 * Calculates the speed from the samples, and the time for what is left; null while there are too few. The time is null
 * when it is not known what is left, or nothing moves.
 */
export function paceOf(
  samples: readonly PaceSample[],
  left: number | null,
): { perSecond: number; secondsLeft: number | null } | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.atMs - first.atMs < shortestMs) return null
  const perSecond = ((last.processed - first.processed) * 1_000) / (last.atMs - first.atMs)
  return { perSecond, secondsLeft: left !== null && perSecond > 0 ? left / perSecond : null }
}

/**
 * Writes a pace as a sentence: '85 per second, about 2 minutes left.' It rounds, because the estimate is rough. A
 * standstill says nothing of the provider: some phases count no records.
 */
export function paceText(pace: ReturnType<typeof paceOf>): string {
  if (pace === null || pace.perSecond === 0) return 'Estimating time left…'
  const rate = pace.perSecond < 1 ? 'less than 1' : Math.round(pace.perSecond).toLocaleString('en-US')
  return `${rate} per second, ${leftText(pace.secondsLeft)}.`
}

function leftText(secondsLeft: number | null): string {
  if (secondsLeft === null) return 'time left not known yet'
  if (secondsLeft < 10) return 'a few seconds left'
  if (secondsLeft < 55) return `about ${Math.ceil(secondsLeft / 10) * 10} seconds left`
  const minutes = Math.round(secondsLeft / 60)
  if (minutes < 60) return `about ${minutes === 1 ? 'a minute' : `${minutes} minutes`} left`
  const hours = Math.round(minutes / 60)
  return `about ${hours === 1 ? 'an hour' : `${hours} hours`} left`
}
