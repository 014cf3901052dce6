/** How much of a run was done at a moment. */
export type PaceSample = { atMs: number; processed: number }

/** A rate is told from no less than this, and from no more than the last minute. */
const shortestMs = 4_000
export const windowMs = 60_000

/**
 * How fast a run goes and how long it still takes, from what was seen of it here; null before enough was seen. The time left
 * is null where the total is not known (0) or nothing moves.
 */
export function paceOf(
  samples: readonly PaceSample[],
  total: number,
): { perSecond: number; secondsLeft: number | null } | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.atMs - first.atMs < shortestMs) return null
  const perSecond = ((last.processed - first.processed) * 1_000) / (last.atMs - first.atMs)
  const isKnown = total > 0 && perSecond > 0
  return { perSecond, secondsLeft: isKnown ? Math.max(0, total - last.processed) / perSecond : null }
}

/** '85 per second, about 2 minutes left', within a sentence; rounded as roughly as it is known. */
export function paceText(pace: ReturnType<typeof paceOf>): string {
  if (pace === null) return 'measuring how fast it goes'
  if (pace.perSecond === 0) return 'waiting for the provider'
  const rate = pace.perSecond < 1 ? 'less than 1' : Math.round(pace.perSecond).toLocaleString('en-US')
  return `${rate} per second, ${leftText(pace.secondsLeft)}`
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
