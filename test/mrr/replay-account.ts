/** Replays accounts over time. */
import type { MrrEvent } from '#domain/event.ts'
import type { Observation } from '#domain/mrr/timeline/observation.ts'
import { fromStoredObservation, toStoredObservation } from '#domain/mrr/timeline/stored-observation.ts'
import { type ExampleAccount, rebuild, textOfEvent } from './examples.ts'

type Look = { texts: string[]; events: MrrEvent[]; fresh: number }

/**
 * Rebuilds an account at several moments and passes observations on, as a caller does. Throws if a second rebuild of the
 * same moment gives another ledger or new observations.
 */
export function replayAccount(...accounts: ExampleAccount[]): Look[] {
  let observations: readonly Observation[] = []
  return accounts.map((account) => {
    const made = rebuild({ ...account, observations })
    const fresh = new Map(made.newObservations.map((observation) => [observation.id, observation]))
    const kept = [...observations.filter(({ id }) => !fresh.has(id)), ...fresh.values()]
    observations = kept.flatMap((one) => fromStoredObservation(toStoredObservation(one)) ?? [])
    const again = rebuild({ ...account, observations })
    const isSame = JSON.stringify(again.events) === JSON.stringify(made.events)
    if (!isSame || again.newObservations.length > 0) throw new Error(`another ledger at ${account.asOf}`)
    return { texts: made.events.map(textOfEvent), events: made.events, fresh: made.newObservations.length }
  })
}
