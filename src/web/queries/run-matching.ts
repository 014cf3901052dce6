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
    onSuccess: ({ matched, pendingMatchCount }) =>
      tell.onMatched({ title: 'Matching Complete', description: textOf(matched, pendingMatchCount) }),
    onError: tell.onFailed,
  })
  return {
    run: async () => {
      await mutateAsync().catch(() => {})
    },
    isRunning: isPending,
  }
}

/** Says what a matching came to: 'Matched 3 customers. 43 customers still need review.' */
function textOf(matched: number, left: number): string {
  const done =
    matched === 0 ? '' : `Matched ${matched === 1 ? '1 customer' : `${numberOf(matched)} customers`}. `
  if (left === 0) return done === '' ? 'No customer waits for a company.' : done.trim()
  return `${done}${left === 1 ? '1 customer still needs' : `${numberOf(left)} customers still need`} review.`
}

const numberOf = (count: number) => count.toLocaleString('en-US')
