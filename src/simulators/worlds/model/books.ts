import type { Random } from '../numbers/random.ts'
import type { Agenda } from '../time/agenda.ts'
import type { Invoice } from './invoice.ts'
import type { Catalogue, Price } from './offer.ts'
import type { WorldObject } from './stripe-object.ts'
import type { Customer, WorldSubscription } from './subscription.ts'

/** The whole state of a simulated account while time runs. */
export type Books = {
  accountId: string
  /** When the account was opened, Unix seconds. */
  opened: number
  agenda: Agenda
  catalogue: Catalogue
  inlinePrices: Price[]
  customers: Customer[]
  subscriptions: Map<string, WorldSubscription>
  invoices: Invoice[]
  events: WorldObject[]
  /** Seconds of simulated time: now, and how far the present run goes. */
  now: number
  until: number
  /** Whether a change may still wait for its invoice when a run ends; otherwise it is billed at once. */
  hasPending: boolean
  unitOfParts: UnitOfParts
  /** Random choices about how bills are written, separate from what customers do. */
  lots: Random
  newId(prefix: string): string
}

/**
 * How long the invoice of a renewal stays a draft, in seconds. Source: docs.stripe.com/billing/invoices/subscription.
 */
export const draftSeconds = 3600

/**
 * The unit amount that lines for part of a period name: none (recorded in 2026); what a unit was charged for that
 * part (recorded until 2020); or the full price.
 */
export type UnitOfParts = 'empty' | 'charged' | 'listed'
