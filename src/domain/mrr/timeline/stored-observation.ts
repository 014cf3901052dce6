import type { Instant } from '../../instant.ts'
import type { Observation, ObservedState } from './observation.ts'

/** An observation as stored: its field names never change, so that old ones stay readable. */
export type StoredObservation = {
  id: string
  subscriptionId: string
  seenAt: Instant
  /** What was observed, as text that only this file writes and reads. */
  stateKey: string
}

const askedKey = '{"asked":true}'
const countedKey = '{"counted":true}'

type StoredState = Pick<ObservedState, 'endedAs' | 'items' | 'discounts'> & {
  changed: string[]
  closed: string[]
  inside: string[]
}

/** Converts an observation to its stored form. */
export function toStoredObservation(observation: Observation): StoredObservation {
  const { id, subscriptionId, at: seenAt } = observation
  return { id, subscriptionId, seenAt, stateKey: stateKeyOf(observation) }
}

function stateKeyOf(observation: Observation): string {
  if (observation.kind === 'asked') return askedKey
  if (observation.kind === 'counted') return countedKey
  const { endedAs, items, discounts, changedIds, endedIds, insidePeriodIds } = observation
  const state: StoredState = {
    endedAs,
    items,
    discounts,
    changed: changedIds,
    closed: endedIds,
    inside: insidePeriodIds,
  }
  return JSON.stringify(state)
}

/** Reads a stored observation; undefined if it is unreadable. */
export function fromStoredObservation(stored: StoredObservation): Observation | undefined {
  const { id, subscriptionId, seenAt: at, stateKey } = stored
  if (stateKey === askedKey) return { kind: 'asked', id, subscriptionId, at }
  if (stateKey === countedKey) return { kind: 'counted', id, subscriptionId, at }
  const state = readState(stateKey)
  if (!Array.isArray(state?.items)) return undefined
  const { endedAs, items, discounts, changed: changedIds, closed: endedIds, inside: insidePeriodIds } = state
  const lists = { items, discounts, changedIds, endedIds, insidePeriodIds }
  return { kind: 'observed', id, subscriptionId, at, endedAs, ...lists }
}

// The text is what `stateKeyOf` wrote, or null, or not JSON.
function readState(stateKey: string): StoredState | null {
  try {
    return JSON.parse(stateKey)
  } catch {
    return null
  }
}
