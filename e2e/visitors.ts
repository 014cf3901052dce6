import type { Page } from 'playwright-core'
import { demo } from '../tools/demo.ts'
import {
  becomeOwner,
  becomeUser,
  connectHubspotByCall,
  connectStripeByCall,
  enter,
  importByCall,
  send,
} from './prepare.ts'

/** The address that OPERATOR_EMAILS must name for the operator's screen. */
export const lookingOperatorEmail = 'lou@looking.example'

/**
 * Signed out, without organization, with an empty one, with both providers but no import, with a HubSpot account without
 * custom objects, after an erasure, of the demo organization, and the operator.
 */
export type ScreenVisitor =
  | 'stranger'
  | 'newcomer'
  | 'starter'
  | 'connected'
  | 'objectless'
  | 'eraser'
  | 'owner'
  | 'operator'

const password = 'a-long-enough-passphrase'
const people = {
  newcomer: { name: 'Nel Newcomer', email: 'nel@arriving.example', password },
  starter: { name: 'Sam Starter', email: 'sam@starting.example', password },
  connected: { name: 'Cora Connected', email: 'cora@connected.example', password },
  objectless: { name: 'Olli Objectless', email: 'olli@objectless.example', password },
  eraser: { name: 'Edda Eraser', email: 'edda@erasing.example', password },
  operator: { name: 'Lou Operator', email: lookingOperatorEmail, password },
}

const arrivals: Record<ScreenVisitor, (page: Page) => Promise<void>> = {
  stranger: async () => {},
  owner: (page) => enter(page, demo),
  newcomer: (page) => becomeUser(page, people.newcomer),
  starter: (page) => becomeOwner(page, people.starter, 'Starting'),
  connected: async (page) => {
    await becomeOwner(page, people.connected, 'Connected')
    await connectHubspotByCall(page)
    await connectStripeByCall(page)
  },
  objectless: async (page) => {
    await becomeOwner(page, people.objectless, 'Objectless')
    await connectHubspotByCall(page, 24180003)
    await connectStripeByCall(page)
  },
  eraser: async (page) => {
    await becomeOwner(page, people.eraser, 'Erasing')
    await connectStripeByCall(page)
    await importByCall(page)
    const { subscriptions } = await send(page, 'GET', '/api/stripe/subscriptions?limit=10')
    const [first] = subscriptions as { customerId: string }[]
    await send(page, 'POST', '/api/erasures', { customerId: first?.customerId })
  },
  operator: (page) => becomeOwner(page, people.operator, 'Looking'),
}

/** Signs a visitor in, or up on the first visit. */
export async function arrive(page: Page, visitor: ScreenVisitor): Promise<void> {
  const known = Object.entries(people).find(([name]) => name === visitor)?.[1]
  const isBack = known !== undefined && (await isKnown(page, known))
  if (!isBack) await arrivals[visitor](page)
}

async function isKnown(page: Page, person: { email: string; password: string }): Promise<boolean> {
  try {
    await enter(page, person)
    return true
  } catch {
    return false
  }
}
