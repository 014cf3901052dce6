import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type CallInput, endpointKey, useEndpoint } from '../client.ts'

export const pollMs = { importProgress: 2_000, syncJob: 2_000, syncStatus: 5_000 } as const

/** A finished run stays on the screen for this long. */
export const trackedRunClearsMs = 5_000

/**
 * Follows a run until it has ended, then calls `onEnd` once with the last answer. `input` null follows nothing.
 * A poll that fails is logged and repeated.
 */
export function useRun<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B> | null,
  run: {
    everyMs: number
    hasEnded: (answer: z.output<R>) => boolean
    onEnd: (answer: z.output<R>) => void
  },
): UseQueryResult<z.output<R>, Error> {
  const result = useEndpoint(endpoint, input, {
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data !== undefined && run.hasEnded(query.state.data) ? false : run.everyMs,
    refetchIntervalInBackground: true,
    meta: { isPolled: true },
  })
  const endedKey = useRef<unknown>(null)
  const onEnd = useEffectEvent((answer: z.output<R>) => {
    const key = input === null ? null : endpointKey(endpoint, input)[1]
    if (key === null || endedKey.current === key || !run.hasEnded(answer)) return
    endedKey.current = key
    run.onEnd(answer)
  })
  const { data } = result
  useEffect(() => {
    if (data !== undefined) onEnd(data)
  }, [data])
  return result
}
