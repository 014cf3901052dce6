import type { OnHeard } from '../../providers/provider-error.ts'

/** Calls `report` when the provider stops answering and when it answers again, and not for each request. */
export function createSilence(report: (isSilent: boolean) => void): OnHeard {
  let isSilent = false
  return (isAnswered) => {
    if (isAnswered !== isSilent) return
    isSilent = !isAnswered
    report(isSilent)
  }
}
