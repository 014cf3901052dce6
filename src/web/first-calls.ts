import type { QueryClient } from '@tanstack/react-query'
import { matchRoutes } from 'react-router'
import { getAbout, getCurrentUser } from '#contract/account.ts'
import { getDashboardStats, getRecentTransactions, getUpcomingRenewals } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { endpointQuery } from './client.ts'
import { paths } from './paths.ts'
import { gateId, routes } from './routes.tsx'

/** What comes this soon spares drawing its place first; in ms. */
const promptMs = 200

/**
 * Asks for what the first screen begins with while its code is still on the way. Resolves once it can be drawn without a
 * jump: it is known who is there, where that matters, and whether providers are simulated. Never rejects: who needs an
 * answer finds its failure in the cache.
 */
export async function startFirstCalls(client: QueryClient, pathname: string): Promise<void> {
  const isGated = matchRoutes(routes, pathname)?.some(({ route }) => route.id === gateId) === true
  await Promise.all([
    client.prefetchQuery(endpointQuery(getAbout)),
    ...(isGated ? [askWhoIsThere(client, pathname)] : []),
  ])
}

async function askWhoIsThere(client: QueryClient, pathname: string): Promise<void> {
  const user = endpointQuery(getCurrentUser)
  await client.prefetchQuery(user)
  const isDashboard = pathname === paths.dashboard || pathname === paths.dashboardByName
  const answer: ResponseOf<typeof getCurrentUser> | undefined = client.getQueryData(user.queryKey)
  if (!isDashboard || answer === undefined || answer.organization === null) return
  const figures = [
    client.prefetchQuery(endpointQuery(getDashboardStats)),
    client.prefetchQuery(endpointQuery(getRecentTransactions)),
    client.prefetchQuery(endpointQuery(getUpcomingRenewals)),
  ]
  await Promise.race([Promise.all(figures), new Promise((soon) => setTimeout(soon, promptMs))])
}
