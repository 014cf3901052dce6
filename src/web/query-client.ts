import { QueryCache, QueryClient } from '@tanstack/react-query'
import { logProblem } from './ui/problems/log-problem.ts'

/** Creates the only cache. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.['isPolled'] === true) logProblem('A poll failed and will be repeated', error)
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
}
