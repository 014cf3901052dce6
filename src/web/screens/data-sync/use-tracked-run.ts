import { useEffect, useState } from 'react'
import { trackedRunClearsMs } from '../../queries/run.ts'

export type TrackedRun = {
  /** The run that is followed, ended ones for some seconds more. */
  id: string | null
  hasEnded: boolean
  track: (id: string) => void
  end: () => void
}

/** Remembers which run is followed: one started here, or one found running; forgets it 5 s after its end. */
export function useTrackedRun(runningId: string | null): TrackedRun {
  const [tracked, setTracked] = useState<{ id: string; hasEnded: boolean } | null>(null)
  const [forgottenId, setForgottenId] = useState<string | null>(null)
  // The status that found it may be some seconds old and still name a run that has been followed to its end.
  const found = runningId === forgottenId ? null : runningId
  // Kept from now on: the next status no longer names a run that has just ended.
  if (tracked === null && found !== null) setTracked({ id: found, hasEnded: false })
  const id = tracked?.id ?? found
  const hasEnded = tracked?.hasEnded ?? false
  useEffect(() => {
    if (!hasEnded) return
    const timer = setTimeout(() => {
      setForgottenId(id)
      setTracked(null)
    }, trackedRunClearsMs)
    return () => clearTimeout(timer)
  }, [id, hasEnded])
  return {
    id,
    hasEnded,
    track: (started) => {
      setForgottenId(null)
      setTracked({ id: started, hasEnded: false })
    },
    end: () => {
      if (id !== null) setTracked({ id, hasEnded: true })
    },
  }
}
