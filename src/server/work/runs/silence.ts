import type { OnHeard } from '../../providers/provider-error.ts'

/** A shorter silence is not told, so that reports do not follow each failure and each answer. */
const silentAfterMs = 3_000

/**
 * Calls `report` when the provider has answered nothing for some seconds, and when it answers again. All requests of a run
 * share it: while one list fails and others are answered, the provider is not silent.
 */
export function createSilence(now: () => Date, report: (isSilent: boolean) => void): OnHeard {
  let heardMs = now().getTime()
  let isSilent = false
  return (isAnswered) => {
    const atMs = now().getTime()
    if (isAnswered) heardMs = atMs
    const wasSilent = isSilent
    isSilent = !isAnswered && (wasSilent || atMs - heardMs >= silentAfterMs)
    if (isSilent !== wasSilent) report(isSilent)
  }
}
