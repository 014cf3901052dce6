import * as account from './account.ts'
import * as audit from './audit.ts'
import * as connections from './connections.ts'
import * as customers from './customers/customers.ts'
import * as mrrHistory from './customers/mrr-history.ts'
import * as dashboard from './dashboard.ts'
import * as deletion from './deletion.ts'
import * as diagnostics from './diagnostics.ts'
import type { Endpoint } from './endpoint.ts'
import * as erasures from './erasures.ts'
import * as events from './events.ts'
import * as hubspotAmounts from './hubspot/hubspot-amounts.ts'
import * as imports from './imports.ts'
import * as figureExports from './lists/figure-exports.ts'
import * as filterOptions from './lists/filter-options.ts'
import * as listViews from './lists/list-views.ts'
import * as matchExport from './lists/match-export.ts'
import * as matchFigures from './lists/match-figures.ts'
import * as search from './lists/search.ts'
import * as syncHealth from './lists/sync-health.ts'
import * as matches from './matches.ts'
import * as mrr from './mrr.ts'
import * as organization from './organization.ts'
import * as recounts from './recounts.ts'
import * as runRecords from './runs/run-records.ts'
import * as service from './service.ts'
import * as sessions from './sessions.ts'
import * as settings from './settings.ts'
import * as setup from './setup.ts'
import * as subscriptions from './subscriptions.ts'
import * as sync from './sync.ts'
import * as webhooks from './webhooks.ts'

const modules = [
  account,
  audit,
  connections,
  customers,
  dashboard,
  deletion,
  diagnostics,
  erasures,
  events,
  figureExports,
  filterOptions,
  hubspotAmounts,
  listViews,
  matchExport,
  imports,
  matches,
  matchFigures,
  mrr,
  mrrHistory,
  organization,
  recounts,
  runRecords,
  search,
  service,
  sessions,
  settings,
  setup,
  subscriptions,
  sync,
  syncHealth,
  webhooks,
]

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

/**
 * Lists every call under the name it has in its file. The server, the API description and the tests walk this table.
 */
export const api: Record<string, Endpoint> = Object.fromEntries(
  modules.flatMap((module) => Object.entries(module).filter(([, value]) => isEndpoint(value))),
) as Record<string, Endpoint>
