import { moneyText } from '#domain/currency.ts'
import type { Instant } from '#domain/instant.ts'
import { checkLedger, type LedgerFault } from '#domain/mrr/ledger/check-ledger.ts'
import type { Chains } from '../../store/ledger/ledger-check.ts'
import type { RecordedFault } from '../../store/runs/run-faults.ts'

/** The first fault of each subscription; its later faults follow from the first. */
export function faultsOfChains({ figures, events }: Chains, asOf: Instant): RecordedFault[] {
  const faults = checkLedger(events, figures, [], asOf)
  const bySubscription = Map.groupBy(faults, ({ subscriptionId }) => subscriptionId)
  return figures.flatMap(({ subscriptionId }) => {
    const [first] = bySubscription.get(subscriptionId) ?? []
    return first ? [{ sourceId: subscriptionId, message: messageOf(first) }] : []
  })
}

function messageOf({ identity, currency, expectedCents, foundCents, message }: LedgerFault): string {
  const text = (cents: number) => moneyText(cents, currency)
  switch (identity) {
    case 'chain':
      return `One of its events starts from ${text(foundCents)} of MRR, but the one before ended at ${text(expectedCents)}.`
    case 'current':
      return `Its events add up to ${text(expectedCents)} of MRR, but it is shown with ${text(foundCents)}.`
    default:
      return `${message}.`
  }
}
