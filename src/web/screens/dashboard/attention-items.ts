import type { Attention } from '#contract/dashboard.ts'
import { counted } from '../../components/counted.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { reconnectedText, refusedText } from '../../components/runs/refused-text.ts'
import { objectsMissingText, otherAccountText } from '../../components/runs/sync-obstacles.tsx'
import type { TermName } from '../../components/terms/terms.ts'
import { paths } from '../../paths.ts'

export type AttentionItem = {
  text: string
  /** Says what it means; empty when there is nothing to add. */
  note: string
  /** When it happened, or when what `atSays` says did. */
  at?: string
  atSays?: string
  /** Explains the note. */
  term?: TermName
  /** The list that shows it. */
  to: string
  /** Whether something stands still until a person acts. */
  isBroken: boolean
}

const runs = { import: 'import from Stripe', sync: 'sync to HubSpot', recount: 'recount of MRR' } as const

/** What a provider is missing for, where it was connected before. */
const notConnected = {
  stripe: { text: 'Stripe is not connected', atSays: 'Last read', note: 'The figures are as of then.' },
  hubspot: { text: 'HubSpot is not connected', atSays: 'Last synced', note: 'Its records are as of then.' },
} as const

/** What a person should look at, the worst first. */
export function attentionItems(attention: Attention, areObjectsMissing = false): AttentionItem[] {
  const { customersToMatch, pastDue, canceling, failing, failingEvents, stale } = attention
  const { deadConnections, disconnected, undecidedAccount, failedRuns, reportingCurrency } = attention
  const money = (mrr: number) => formatMoney(mrr, reportingCurrency)
  return [
    ...deadConnections.map(({ provider, reason }) => ({
      text: refusedText([provider]),
      note: reason,
      to: paths.dataSync,
      isBroken: true,
    })),
    ...disconnected.map(({ provider, lastAt }) => ({
      ...notConnected[provider],
      at: lastAt,
      to: paths.dataSync,
      isBroken: true,
    })),
    ...(undecidedAccount === null
      ? []
      : [
          {
            text: otherAccountText,
            note: `It is ${undecidedAccount.portalId}, and was ${undecidedAccount.earlierPortalId}. Nothing is written to it until it is confirmed.`,
            to: paths.dataSync,
            isBroken: true,
          },
        ]),
    ...(areObjectsMissing
      ? [
          {
            text: objectsMissingText,
            note: 'Nothing is synced until they are there.',
            to: paths.dataSync,
            isBroken: true,
          },
        ]
      : []),
    ...failedRuns.map(({ id, type, problem, reason, endedAt }) => ({
      text: `The last ${runs[type]} failed`,
      note: problem === 'failed' ? reason : reconnectedText,
      at: endedAt,
      to: paths.run(id),
      isBroken: problem === 'failed',
    })),
    ...listed('subscription', failing, {
      says: 'failing to sync',
      to: paths.syncHealth,
      worth: (mrr) => `${money(mrr)} of MRR may be wrong in HubSpot`,
    }),
    ...listed(
      'event',
      { ...failingEvents, mrr: null },
      { says: 'failing to sync', to: paths.syncHealth, worth: money },
    ),
    ...listed('subscription', stale, {
      says: 'late in HubSpot',
      to: `${paths.subscriptions}?isStale=true`,
      worth: (mrr) => `${money(mrr)} of MRR`,
    }),
    ...listed('subscription', pastDue, {
      says: 'past due',
      to: `${paths.subscriptions}?status=past_due`,
      worth: (mrr) => `${money(mrr)} of MRR at risk`,
    }),
    ...listed('subscription', canceling, {
      says: 'with a planned cancellation',
      to: `${paths.subscriptions}?isCanceling=true&sort=currentPeriodEnd&order=asc`,
      worth: (mrr) => `${money(mrr)} of MRR will end`,
      term: 'plannedCancellation',
    }),
    ...listed('customer', customersToMatch, {
      says: 'to match with a company',
      to: paths.matchReview,
      worth: (mrr) => `${money(mrr)} of MRR`,
    }),
  ]
}

type Wording = { says: string; to: string; worth: (mrr: number) => string; term?: TermName }

function listed(
  noun: string,
  { count, mrr, isCapped = false }: { count: number; mrr: number | null; isCapped?: boolean },
  { says, worth, ...rest }: Wording,
): AttentionItem[] {
  if (count === 0) return []
  const note = mrr ? worth(mrr) : ''
  const rows = `${isCapped ? 'More than ' : ''}${counted(count, noun)}`
  return [{ text: `${rows} ${says}`, note, isBroken: false, ...rest }]
}
