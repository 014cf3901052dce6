import pLimit from 'p-limit'
import Stripe from 'stripe'
import { isOrganizationKey } from '#domain/payment-key.ts'
import { providerNames } from '#domain/provider-names.ts'
import type { Log } from '../../log.ts'
import type { PaymentsPort, PaymentsReader } from '../payments.ts'
import type { RateLimiter } from '../rate-limits.ts'
import type { Send } from '../send.ts'
import { liveLimits, type RateLimits, testLimits } from './budgets.ts'
import { createCallStripe, inOurWords } from './call-stripe.ts'
import { checkKey, pingStripe } from './check-key.ts'
import { fetchObject } from './fetch-object.ts'
import { GuardedClient } from './guarded-client.ts'
import { createStripeGuide } from './guide.ts'
import { listChanges, listNewestChanges } from './list-changes.ts'
import { findNewestInvoiceAt, listNewestIds } from './list-newest.ts'
import { listPage } from './list-page.ts'
import { readDelivery } from './read-delivery.ts'
import { pageMax, wordsOf } from './requests.ts'

const requestTimeoutMs = 30_000
/**
 * How many objects of a kind have their nested lists read at the same time: more than the limits allow per second.
 */
const innerListsMax = 30

/**
 * How many places one process requests at the same time. Taking a place is faster than opening one more connection
 * to the database.
 */
const placesBesideMax = 2

export type StripePaymentsOptions = {
  send: Send
  /** The origin of Stripe's API or of a simulator. */
  apiUrl: string
  /** The origin of the pages for people; Stripe's own when omitted. */
  dashboardUrl?: string
  now: () => Date
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  log?: Log
  /** Shared by all processes; null limits nothing. */
  paces: RateLimiter | null
  /** Depends on the key's mode when omitted. */
  limits?: RateLimits
  /** Objects per page; Stripe's maximum when omitted. */
  pageSize?: number
}

/**
 * Stripe as the payment provider. It is read-only: only GET requests can leave it, whatever the SDK is told to do.
 */
export function createStripePayments(options: StripePaymentsOptions): PaymentsPort {
  const { send, now, sleep } = options
  const paces = options.paces && takingFewBeside(options.paces)
  const { origin, hostname, port, protocol } = new URL(options.apiUrl)
  return {
    name: providerNames.payments,
    guide: createStripeGuide(options.dashboardUrl),
    open(apiKey, { organizationId, accountId, isLive: wasLive, signal, isPersonWaiting = false, onHeard }) {
      const mode = modeOf(apiKey)
      // In doubt live: test mode also asks for test clocks, which Stripe refuses in live mode.
      const isLive = mode ?? wasLive ?? true
      const context = isOrganizationKey(apiKey) ? (accountId ?? null) : null
      const stripe = new Stripe(apiKey, {
        host: hostname,
        port: port === '' ? (protocol === 'http:' ? 80 : 443) : port,
        protocol: protocol === 'http:' ? 'http' : 'https',
        telemetry: false,
        maxNetworkRetries: 0,
        timeout: requestTimeoutMs,
        httpClient: new GuardedClient(send, origin, signal),
        appInfo: { name: 'Tributary' },
        ...(context !== null && { stripeContext: context }),
      })
      const budgetNameOf = (owner: string) => `${owner} ${isLive ? 'live' : 'test'}`
      const accounts = new Set([budgetNameOf(accountId ?? `of ${organizationId}`)])
      const call = createCallStripe({
        accounts,
        paces,
        limits: options.limits ?? (isLive ? liveLimits : testLimits),
        now,
        sleep,
        signal,
        isPersonWaiting,
        onHeard,
        log: options.log,
      })
      const ours = <T>(doing: string, work: () => Promise<T>) => inOurWords(doing, work, signal)
      const pageSize = options.pageSize ?? pageMax
      // Each kind has its own limit, so that neither waits for the other.
      const turns = { subscriptions: pLimit(innerListsMax), invoices: pLimit(innerListsMax) }
      const parts = { stripe, call, pageSize, isLive, turns }
      const reader: PaymentsReader = {
        ping: () => ours('the key', () => pingStripe(parts)),
        check: () =>
          ours('the key', () =>
            checkKey({ ...parts, mode, context }, (id) => accounts.add(budgetNameOf(id))),
          ),
        async listPage(kind, query) {
          const doing = wordsOf(kind)
          const page = await ours(doing, () => listPage(kind, query, parts))
          const { rest } = page
          return { ...page, rest: rest && { ...rest, whole: ours(doing, () => rest.whole) } }
        },
        findNewestInvoiceAt: () => ours(wordsOf('invoices'), () => findNewestInvoiceAt(parts)),
        listNewestIds: (kind, created) => ours(wordsOf(kind), () => listNewestIds(kind, created, parts)),
        listChanges: (since, known) => ours('the recent changes', () => listChanges(since, known, parts)),
        listNewestChanges: (withinSeconds) =>
          ours('the recent changes', () => listNewestChanges(withinSeconds, parts)),
        fetchObject: (kind, id) => ours(`${kind} ${id}`, () => fetchObject(kind, id, parts)),
      }
      return reader
    },
    readDelivery: (delivery) => readDelivery(delivery, now()),
  }
}

/** Whether the key is for live data; null for an organization's key that does not say it. */
function modeOf(apiKey: string): boolean | null {
  const mode = /^[sr]k_(?:org_)?(live|test)_/.exec(apiKey)?.[1]
  return mode === undefined ? (isOrganizationKey(apiKey) ? null : false) : mode === 'live'
}

/** Keeps lists that start together from filling the connection pool before the first request is sent. */
function takingFewBeside(paces: RateLimiter): RateLimiter {
  const turn = pLimit(placesBesideMax)
  return { ...paces, take: (lane, budget) => turn(() => paces.take(lane, budget)) }
}
