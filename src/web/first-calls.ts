import type { QueryClient } from '@tanstack/react-query'
import { matchRoutes } from 'react-router'
import { getAbout, getCurrentUser } from '#contract/account.ts'
import {
  getAttention,
  getDashboardStats,
  getRecentTransactions,
  getUpcomingRenewals,
} from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getMrrMovements } from '#contract/mrr.ts'
import { endpointQuery } from './client.ts'
import { paths } from './paths.ts'
import { yearOfMovements } from './queries/movements.ts'
import { gateId, routes, signedOutOnlyId, unknownId } from './routes.tsx'

/** In ms. A call that answers within this time saves the screen from drawing placeholders first. */
const promptMs = 200

/**
 * Starts the first screen's calls while its code loads. Resolves when the screen can be drawn without a jump: the
 * person and the simulation banner are known. Never rejects, because a failure stays in the cache.
 */
export async function startFirstCalls(client: QueryClient, pathname: string): Promise<void> {
  const asks = [gateId, signedOutOnlyId, unknownId]
  const isAsked = matchRoutes(routes, pathname)?.some(({ route }) => asks.includes(route.id ?? '')) === true
  await Promise.all([
    client.prefetchQuery(endpointQuery(getAbout)),
    ...(isAsked ? [askWhoIsThere(client, pathname)] : []),
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
    client.prefetchQuery(endpointQuery(getMrrMovements, yearOfMovements(new Date()))),
    client.prefetchQuery(endpointQuery(getAttention)),
    client.prefetchQuery(endpointQuery(getRecentTransactions)),
    client.prefetchQuery(endpointQuery(getUpcomingRenewals)),
  ]
  await Promise.race([Promise.all(figures), new Promise((soon) => setTimeout(soon, promptMs))])
}
