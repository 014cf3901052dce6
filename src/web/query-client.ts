import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { getCurrentUser } from '#contract/account.ts'
import { ApiError, endpointKey } from './client.ts'
import { logProblem } from './ui/log-problem.ts'

/** The one cache. A 401 while someone counts as signed in makes the gate ask again who that is. */
export function createQueryClient(): QueryClient {
  const userKey = endpointKey(getCurrentUser, {})
  const onRefusal = (error: unknown) => {
    const isSignedIn = client.getQueryState(userKey)?.status === 'success'
    if (isSignedIn && error instanceof ApiError && error.status === 401)
      void client.invalidateQueries({ queryKey: userKey })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.['isPolled'] === true) logProblem('A poll failed and will be repeated', error)
        onRefusal(error)
      },
    }),
    mutationCache: new MutationCache({ onError: onRefusal }),
    defaultOptions: {
      // Without a network a call fails and says so, instead of waiting in silence until there is one.
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
