import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from './client.ts'
import { refreshProgress } from './queries/session.ts'
import { logProblem } from './ui/problems/log-problem.ts'

const ofConnection: string[] = ['provider_refused', 'not_connected'] satisfies ErrorCode[]

/** Creates the only cache. */
export function createQueryClient(): QueryClient {
  // The connection may have ended since, so every screen asks what stands in the way.
  const onRefused = async (error: Error) => {
    if (error instanceof ApiError && ofConnection.includes(error.code)) await refreshProgress(client)
  }
  const client: QueryClient = new QueryClient({
    // The change's own handler of errors runs after this, and by then knows whether a strip tells the refusal.
    mutationCache: new MutationCache({ onError: onRefused }),
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.['isPolled'] === true) logProblem('A poll failed and will be repeated', error)
        void onRefused(error)
      },
    }),
    defaultOptions: {
      // Without a network, a call fails and says so instead of waiting in silence.
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
