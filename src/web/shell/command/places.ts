import { paths } from '../../paths.ts'

export const menuName = 'Search and commands'

/** A screen with the key that opens it after G, and other words that people search it by. */
export type Place = { title: string; path: string; key?: string; also?: string }

/** Every screen that the command menu opens, in the order of the sidebar. */
export const places: readonly Place[] = [
  { title: 'Dashboard', path: paths.dashboard, key: 'd' },
  { title: 'Customers', path: paths.customers, key: 'c' },
  { title: 'Subscriptions', path: paths.subscriptions, key: 's' },
  { title: 'Events', path: paths.events, key: 'e' },
  {
    title: 'MRR Analytics',
    path: paths.mrrAnalytics,
    key: 'm',
    also: 'what changed movements retention segments cohorts',
  },
  { title: 'Match Review', path: paths.matchReview, key: 'r' },
  {
    title: 'Data Sync',
    path: paths.dataSync,
    key: 'y',
    also: 'connections reconnect disconnect webhook api key',
  },
  { title: 'Sync History', path: paths.syncHistory, key: 'h' },
  { title: 'Sync Health', path: paths.syncHealth, also: 'failed refused errors retry waiting' },
  { title: 'Account Settings', path: paths.accountProfile, key: 'a' },
  { title: 'Rule Changes', path: paths.whatChanged, also: 'recount' },
  { title: 'Terms and Rules', path: paths.terms },
  { title: 'HubSpot Objects', path: paths.hubspotObjects },
  { title: 'Diagnostics', path: paths.diagnostics },
]

/** What a person can do, and the screen where it is done. */
export const deeds: readonly Place[] = [
  { title: 'Import from Stripe', path: paths.dataSync },
  { title: 'Sync to HubSpot', path: paths.dataSync },
  { title: 'Match customers with companies', path: paths.matchReview },
  { title: 'Invite a colleague', path: `${paths.accountProfile}?tab=organization` },
  {
    title: 'Change password or second factor',
    path: paths.accountProfile,
    also: 'security two-factor two factor authenticator',
  },
]

/** What has a title; `also` are other words that people search it by. */
type Named = { title: string; also?: string }

/** The texts whose words begin with all words of the query, in any order. */
export function matching<T extends Named>(all: readonly T[], query: string): T[] {
  const wanted = wordsOf(query)
  return all.filter(({ title, also = '' }) => {
    const words = wordsOf(`${title} ${also}`)
    return wanted.every((word) => words.some((one) => one.startsWith(word)))
  })
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}
