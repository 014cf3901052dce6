import { spellStep } from '#contract/setup.ts'
import type { SetupStep } from '#domain/setup.ts'

export const productName = 'Tributary'
/** Says to a newcomer what the product is. */
export const productLine = 'Your subscription revenue from Stripe, on the right company in HubSpot.'

/** Lists every address of the app. */
export const paths = {
  dashboard: '/',
  dashboardByName: '/dashboard',
  signIn: '/sign-in',
  /** The sign-in, which says that the account is gone. */
  afterDeletion: '/sign-in?deleted',
  signUp: '/sign-up',
  login: '/login',
  /** The window of a hosted sign-in that was opened over a page ends here. */
  signedIn: '/signed-in',
  testData: '/test-data',
  /** The server sends the consent popup here at its end. */
  hubspotConnected: '/hubspot-connected',
  organizationSelection: '/org-selection',
  setup: '/setup',
  setupStep: (step: SetupStep) => `/setup/${spellStep(step)}`,
  subscriptions: '/subscriptions',
  subscription: (id: string) => `/subscriptions/${encodeURIComponent(id)}`,
  events: '/events',
  customers: '/customers',
  customer: (id: string) => `/customers/${encodeURIComponent(id)}`,
  syncHistory: '/sync-history',
  run: (id: string) => `/sync-history/${encodeURIComponent(id)}`,
  syncErrors: '/sync-errors',
  syncHealth: '/sync-health',
  dataSync: '/data-sync',
  /** How to make the custom objects in HubSpot by hand, and whether they fit. */
  hubspotObjects: '/hubspot-objects',
  diagnostics: '/diagnostics',
  operator: '/operator/subscription-data',
  mrrAnalytics: '/mrr-analytics',
  /** What words mean, and the rules of MRR. */
  terms: '/terms',
  whatChanged: '/what-changed',
  recount: (id: string) => `/what-changed/${encodeURIComponent(id)}`,
  accountProfile: '/account-profile',
  exchangeRates: '/account-profile?tab=organization#exchange-rates',
  transactions: '/transactions',
  matchReview: '/match-review',
  settings: '/settings',
  /** This is a file beside the app, not one of its pages. */
  notices: '/third-party-notices.txt',
}

const titles: Record<string, string> = {
  [paths.dashboard]: 'Dashboard',
  [paths.dashboardByName]: 'Dashboard',
  [paths.setup]: 'Setup Wizard',
  [paths.subscriptions]: 'Subscriptions',
  [paths.events]: 'Events',
  [paths.customers]: 'Customers',
  [paths.transactions]: 'Transactions',
  [paths.syncHistory]: 'Sync History',
  [paths.syncErrors]: 'Sync History',
  [paths.syncHealth]: 'Sync Health',
  [paths.dataSync]: 'Data Sync',
  [paths.matchReview]: 'Match Review',
  [paths.settings]: 'Settings',
  [paths.hubspotObjects]: 'HubSpot Objects',
  [paths.diagnostics]: 'Diagnostics',
  [paths.operator]: 'Subscription Data Viewer',
  [paths.mrrAnalytics]: 'MRR Analytics',
  [paths.terms]: 'Terms and Rules',
  [paths.whatChanged]: 'Rule Changes',
  [paths.accountProfile]: 'Account Settings',
}

/** Returns the header's title of an address, or the product's name when the address has no title. */
export function titleOf(pathname: string): string {
  const exact = titles[pathname]
  if (exact !== undefined) return exact
  if (pathname.startsWith(`${paths.setup}/`)) return 'Setup Wizard'
  if (pathname.startsWith(`${paths.subscriptions}/`)) return 'Subscription Details'
  if (pathname.startsWith(`${paths.customers}/`)) return 'Customer'
  if (pathname.startsWith(`${paths.syncHistory}/`)) return 'Sync History'
  if (pathname.startsWith(`${paths.whatChanged}/`)) return 'Rule Changes'
  return productName
}

const lists: readonly string[] = [paths.subscriptions, paths.customers, paths.whatChanged]

/** Returns the list to which the record at this address belongs; undefined if the address is no record's. */
export function listOf(pathname: string): string | undefined {
  return lists.find((list) => pathname.startsWith(`${list}/`))
}

/** The screens without an entry in the sidebar, each with the one whose entry it belongs to. */
const parents: Record<string, string> = {
  [paths.hubspotObjects]: paths.dataSync,
  [paths.diagnostics]: paths.dataSync,
  [paths.terms]: paths.mrrAnalytics,
  [paths.whatChanged]: paths.mrrAnalytics,
}

/** Returns the screen above the one at this address; undefined if it has none. */
export function parentOf(pathname: string): string | undefined {
  return listOf(pathname) ?? parents[pathname]
}

/**
 * Returns the path to open after sign-in or organization choice. A path that the browser would not read as a path of
 * this origin ('//host', '\\host', 'javascript:') becomes the fallback.
 */
export function safeRedirect(value: string | null, origin: string, fallback: string): string {
  if (value === null || value === '') return fallback
  const base = URL.parse(origin)
  const target = URL.parse(value, origin)
  if (base === null || target === null || target.origin !== base.origin) return fallback
  // A path may itself begin with two slashes, which the next reader would take for a host.
  if (target.pathname.startsWith('//')) return fallback
  return `${target.pathname}${target.search}${target.hash}`
}

/** Adds the place to return to to an address, unless it is the start page. */
export function withRedirect(path: string, redirectUrl: string): string {
  return redirectUrl === paths.dashboard ? path : `${path}?${new URLSearchParams({ redirectUrl })}`
}
