import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { getPushStatus } from '#contract/sync.ts'
import { type CallInput, useEndpoint } from '../client.ts'
import { useCancelRun } from './cancel-run.ts'
import { runPollMs, useRefreshSyncStatus } from './sync-status.ts'

export const pollMs = { importProgress: 2_000, syncJob: 2_000, syncStatus: runPollMs } as const

/** A finished run stays on the screen for this long. */
const keptMs = 5_000

type Following<I, A> = {
  inputOf: (id: string) => I
  everyMs: number
  hasEnded: (answer: A) => boolean
  /** Called once per run, with its last answer. */
  onEnd: (answer: A, id: string) => void
  onCancelFailed: (error: unknown) => void
  /** Keeps an ended run until `forget`, instead of a few seconds. */
  keepsEnded?: boolean
}

export type FollowedRun<A> = {
  /** The run on the screen; null without one. */
  id: string | null
  isRunning: boolean
  answer: A | null
  /** Starts a run and follows the id that `begin` returns; null follows nothing. */
  start: (begin: () => Promise<string | null>, onFailed: (error: unknown) => void) => Promise<void>
  isStarting: boolean
  forget: () => void
  cancel: () => void
  isCancelling: boolean
}

/**
 * Follows a run to its end. A screen has started it, or a status has found it. A failed poll is logged and repeated.
 */
export function useFollowedRun<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  endpoint: Endpoint<P, Q, B, R>,
  foundId: string | null,
  following: Following<CallInput<P, Q, B>, z.output<R>>,
): FollowedRun<z.output<R>> {
  const { inputOf, everyMs, hasEnded, keepsEnded = false } = following
  const { id, isRunning, follow, end, forget } = useFollowedId(foundId, keepsEnded)
  const [isStarting, setStarting] = useState(false)
  const refreshStatus = useRefreshSyncStatus()
  const { cancel, isCancelling } = useCancelRun(following.onCancelFailed)
  const { data } = useEndpoint(endpoint, id === null ? null : inputOf(id), {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data !== undefined && hasEnded(state.data) ? false : everyMs),
    refetchIntervalInBackground: true,
    meta: { isPolled: true },
  })
  const endedId = useRef<string | null>(null)
  const onAnswer = useEffectEvent((answer: z.output<R>) => {
    if (id === null || endedId.current === id || !hasEnded(answer)) return
    endedId.current = id
    end()
    following.onEnd(answer, id)
  })
  useEffect(() => {
    if (data !== undefined) onAnswer(data)
  }, [data])
  return {
    id,
    isRunning,
    answer: data ?? null,
    start: async (begin, onFailed) => {
      setStarting(true)
      try {
        const started = await begin()
        if (started === null) return setStarting(false)
        follow(started)
        void refreshStatus()
      } catch (error) {
        onFailed(error)
      }
      setStarting(false)
    },
    isStarting,
    forget,
    cancel: () => {
      if (id !== null) cancel(id)
    },
    isCancelling,
  }
}

type PushStatus = ResponseOf<typeof getPushStatus>
type PushFollowing = Pick<Following<unknown, PushStatus>, 'onEnd' | 'onCancelFailed'>

/** Follows a sync to HubSpot to its end. */
export function useFollowedPush(foundId: string | null, following: PushFollowing): FollowedRun<PushStatus> {
  return useFollowedRun(getPushStatus, foundId, {
    ...following,
    inputOf: (importId) => ({ params: { importId } }),
    everyMs: pollMs.syncJob,
    hasEnded: ({ status }) => status !== 'in_progress',
  })
}

/** Remembers which run is followed, and that it has ended. */
function useFollowedId(foundId: string | null, keepsEnded: boolean) {
  const [followed, setFollowed] = useState<{ id: string; hasEnded: boolean } | null>(null)
  const [forgottenId, setForgottenId] = useState<string | null>(null)
  // The status may be some seconds old and still name a run that has ended.
  const found = foundId === forgottenId ? null : foundId
  // The id is kept, because the next status no longer names a run that has just ended.
  if (followed === null && found !== null) setFollowed({ id: found, hasEnded: false })
  const id = followed?.id ?? found
  const hasEnded = followed?.hasEnded ?? false
  const forget = () => {
    setForgottenId(id)
    setFollowed(null)
  }
  const forgetEnded = useEffectEvent(forget)
  useEffect(() => {
    if (!hasEnded || keepsEnded) return
    const timer = setTimeout(() => forgetEnded(), keptMs)
    return () => clearTimeout(timer)
  }, [hasEnded, keepsEnded])
  return {
    id,
    isRunning: id !== null && !hasEnded,
    follow: (started: string) => {
      setForgottenId(null)
      setFollowed({ id: started, hasEnded: false })
    },
    end: () => {
      if (id !== null) setFollowed({ id, hasEnded: true })
    },
    forget,
  }
}
