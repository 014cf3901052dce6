import type { ExpectedEvent } from '#simulators/worlds/expected/expected-events.ts'

/**
 * Withdrawn cancellations, which only a continuous observer can know. Stripe no longer shows them, so a fresh import has
 * no event for them, while the ledger that observed them keeps its event.
 */
export type TakenBack = {
  /** Receives the account's events after each round, once the followed ledger has read them. */
  see(events: readonly ExpectedEvent[]): void
  /** The ids of their events. */
  ids(): ReadonlySet<string>
}

export function rememberCancellations(): TakenBack {
  const everSeen = new Set<string>()
  let standing = new Set<string>()
  return {
    see(events) {
      const planned = events.filter(({ mrrStatus }) => mrrStatus === 'Planned_Cancellation')
      standing = new Set(planned.map(idOfCancellation))
      for (const id of standing) everSeen.add(id)
    },
    ids: () => new Set([...everSeen].filter((id) => !standing.has(id))),
  }
}

/** The id of such an event in the ledger. */
function idOfCancellation({ subscriptionId, occurredAt }: ExpectedEvent): string {
  const instant = new Date(occurredAt * 1_000).toISOString().replace('.000Z', 'Z')
  return `${subscriptionId}:${instant}:planned-cancellation`
}
