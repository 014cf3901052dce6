import type { ExpectedEvent } from '#simulators/worlds/expected/expected-events.ts'

/**
 * What only whoever follows the account can know: cancellations that were asked for and taken back. Stripe shows nothing
 * of them any more, so that a fresh import has no event of them, and the one that saw them keeps its own.
 */
export type TakenBack = {
  /** Told of the account after each round, which a followed ledger has read by then. */
  see(events: readonly ExpectedEvent[]): void
  /** Ids of their events. */
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

/** As the ledger names such an event. */
function idOfCancellation({ subscriptionId, occurredAt }: ExpectedEvent): string {
  const instant = new Date(occurredAt * 1_000).toISOString().replace('.000Z', 'Z')
  return `${subscriptionId}:${instant}:planned-cancellation`
}
