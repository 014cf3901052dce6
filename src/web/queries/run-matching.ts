import { useMutation } from '@tanstack/react-query'
import { runMatching } from '#contract/matches.ts'
import { call } from '../client.ts'

/** Matches customers with companies. `run` also resolves when the matching has failed. */
export function useMatching(tell: {
  /** Receives what a toast says about the result. */
  onMatched: (said: { title: string; description: string }) => void
  onFailed: (error: unknown) => void
}): { run: () => Promise<void>; isRunning: boolean } {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: () => call(runMatching),
    onSuccess: ({ processed, matched }) =>
      tell.onMatched({
        title: 'Matching Complete',
        description: `Matched ${matched} of ${processed} records.`,
      }),
    onError: tell.onFailed,
  })
  return {
    run: async () => {
      await mutateAsync().catch(() => {})
    },
    isRunning: isPending,
  }
}
