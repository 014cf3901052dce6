export const productName = 'Tributary'

/** Every address of the app. */
export const paths = {
  dashboard: '/',
  dashboardByName: '/dashboard',
  signIn: '/sign-in',
  signUp: '/sign-up',
  login: '/login',
  /** Where the window of a hosted sign-in ends that was opened over a page. */
  signedIn: '/signed-in',
  testData: '/test-data',
  /** Where the server sends the consent popup in the end. */
  hubspotConnected: '/hubspot-connected',
  organizationSelection: '/org-selection',
  setup: '/setup',
  setupStep: (step: string) => `/setup/${step}`,
  subscriptions: '/subscriptions',
  subscription: (id: string) => `/subscriptions/${encodeURIComponent(id)}`,
  events: '/events',
  syncHistory: '/sync-history',
  syncErrors: '/sync-errors',
  dataSync: '/data-sync',
  diagnostics: '/diagnostics',
  operator: '/operator/subscription-data',
  mrrAnalytics: '/mrr-analytics',
  whatChanged: '/what-changed',
  recount: (id: string) => `/what-changed/${encodeURIComponent(id)}`,
  accountProfile: '/account-profile',
  transactions: '/transactions',
  matchReview: '/match-review',
  settings: '/settings',
  /** A file beside the app, not a page of it. */
  notices: '/third-party-notices.txt',
}

const titles: Record<string, string> = {
  [paths.dashboard]: 'Dashboard',
  [paths.dashboardByName]: 'Dashboard',
  [paths.setup]: 'Setup Wizard',
  [paths.subscriptions]: 'Subscriptions',
  [paths.events]: 'Events',
  [paths.transactions]: 'Transactions',
  [paths.syncHistory]: 'Sync History',
  [paths.syncErrors]: 'Sync History',
  [paths.dataSync]: 'Data Sync',
  [paths.matchReview]: 'Match Review',
  [paths.settings]: 'Settings',
  [paths.diagnostics]: 'Diagnostics',
  [paths.operator]: 'Subscription Data Viewer',
  [paths.mrrAnalytics]: 'MRR Analytics',
  [paths.whatChanged]: 'What Changed',
  [paths.accountProfile]: 'Account Settings',
}

/** The header's title of an address; the product's name where it has none. */
export function titleOf(pathname: string): string {
  const exact = titles[pathname]
  if (exact !== undefined) return exact
  if (pathname.startsWith(`${paths.setup}/`)) return 'Setup Wizard'
  if (pathname.startsWith(`${paths.subscriptions}/`)) return 'Subscription Details'
  if (pathname.startsWith(`${paths.whatChanged}/`)) return 'What Changed'
  return productName
}

/**
 * The path to go on to after sign-in or organization choice. Anything that is not a path of this origin, read as
 * the browser reads it ('//host', '\\host', 'javascript:'), gives the fallback.
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

/** An address with the place to return to, left out when it is the start page. */
export function withRedirect(path: string, redirectUrl: string): string {
  return redirectUrl === paths.dashboard ? path : `${path}?${new URLSearchParams({ redirectUrl })}`
}
