/** Replays accounts as time goes on. */
import type { MrrEvent } from '#domain/event.ts'
import type { Sighting } from '#domain/mrr/timeline/observation.ts'
import { type Account, rebuild, textOfEvent } from './examples.ts'

type Look = { texts: string[]; events: MrrEvent[]; fresh: number }

/**
 * Rebuilds again and again as an account goes on, keeping what was seen as a caller does. Throws where a second rebuild of
 * the same moment gives another ledger or sees something new.
 */
export function replayAccount(...accounts: Account[]): Look[] {
  let sightings: readonly Sighting[] = []
  return accounts.map((account) => {
    const made = rebuild({ ...account, sightings })
    const fresh = new Map(made.newSightings.map((sighting) => [sighting.id, sighting]))
    const kept: Sighting[] = JSON.parse(
      JSON.stringify([...sightings.filter(({ id }) => !fresh.has(id)), ...fresh.values()]),
    )
    sightings = kept
    const again = rebuild({ ...account, sightings })
    const isSame = JSON.stringify(again.events) === JSON.stringify(made.events)
    if (!isSame || again.newSightings.length > 0) throw new Error(`another ledger at ${account.asOf}`)
    return { texts: made.events.map(textOfEvent), events: made.events, fresh: made.newSightings.length }
  })
}
