import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { origin, password } from '../api/test-app.ts'
import { run as query } from '../database.ts'
import type { Person, Visitor } from '../harness.ts'
import { makeKeyIn } from '../push/service-keys.ts'
import { contractCalls, type ProbedCall } from './calls.ts'
import { letIn, restore, setSigningSecret } from './fill.ts'
import { type Shot, shotOf } from './hostile.ts'
import type { Identity, SafetyStage } from './stage.ts'

/** A request that must succeed, and its caller. */
export type Turn = { call: ProbedCall; shot: Shot; visitor: Visitor; by: Identity; strategy: 'turn' }

type Opening = { visitor?: Visitor; body?: object; path?: string }

let people = 0

/** A person without a membership, with a work domain of their own. */
function newcomer({ world }: SafetyStage): Promise<Person> {
  people += 1
  return world.person({ email: `late@newcomer-${people}.example`, organization: null })
}

/** Invites a new person to the attacked organization's neighbour; returns the invitation for them to accept. */
async function invite(stage: SafetyStage): Promise<{ guest: Person; invitationId: string }> {
  const guest = await newcomer(stage)
  await stage.away.owner.post('/api/identity/organization/invite-member', {
    email: guest.email,
    role: 'member',
  })
  const text = 'select token from invitation where email = $1'
  const [row] = await query<{ token: string }>(stage.world.ownerUrl, text, [guest.email])
  return { guest, invitationId: row?.token ?? '' }
}

async function newMember(stage: SafetyStage): Promise<{ guest: Person; memberId: string }> {
  const { guest, invitationId } = await invite(stage)
  await guest.post('/api/identity/organization/accept-invitation', { invitationId })
  const text = 'select id from member where "userId" = $1'
  const [row] = await query<{ id: number }>(stage.world.ownerUrl, text, [guest.userId])
  return { guest, memberId: String(row?.id) }
}

/** Brings a customer's match into the state that the next decision starts from. */
async function decide({ away }: SafetyStage, ...steps: string[]): Promise<Opening> {
  for (const step of steps) {
    const body = step === 'link' ? { companyRecordId: away.ids.company, alwaysForDomain: false } : {}
    await away.owner.post(`/api/matches/${away.ids.customer}/${step}`, body)
  }
  return {}
}

/** What a call needs to succeed besides a whole organization and its owner. */
const openings: Record<string, (stage: SafetyStage) => Promise<Opening>> = {
  connectHubspotByKey: async ({ world, away }) => ({
    body: { serviceKey: await makeKeyIn(world.hubspot, away.portal) },
  }),
  saveReportingSettings: async () => ({
    body: { reportingCurrency: 'usd', method: 'booked', source: 'ecb' },
  }),
  uploadRates: async () => ({
    body: { source: 'ecb', text: 'Date,USD,\n2024-04-26,1.0714,\n', isLast: true },
  }),
  createHubspotObjectsByKey: async ({ world, away }) => ({
    body: { serviceKey: await makeKeyIn(world.hubspot, away.portal) },
  }),
  takeOverHubspotObjects: async ({ away }) => {
    const answer = await away.owner.fetch('/api/hubspot/objects/check')
    const { objects } = (await answer.json()) as { objects: { name: string; objectTypeId: string }[] }
    return { body: { objects: objects.map(({ name, objectTypeId }) => ({ name, objectTypeId })) } }
  },
  connectStripe: async ({ away }) => ({ body: { apiKey: away.key } }),
  createOrganization: async (stage) => ({
    visitor: await newcomer(stage),
    body: { name: 'Late', slug: `late-${people}` },
  }),
  saveOrganizationProfile: async ({ away }) => ({
    body: { name: `${away.word} Ltd`, slug: `${away.word}-${people}`.toLowerCase(), pictureUrl: null },
  }),
  deleteOrganization: async ({ world }) => {
    people += 1
    const name = `Short ${people}`
    const visitor = await world.person({ email: `short@newcomer-${people}.example`, organization: name })
    return { visitor, body: { name, password } }
  },
  deleteAccount: async (stage) => {
    const visitor = await newcomer(stage)
    return { visitor, body: { email: visitor.email, password } }
  },
  acceptInvitation: async (stage) => {
    const { guest, invitationId } = await invite(stage)
    return { visitor: guest, body: { invitationId } }
  },
  transferOwnership: async (stage) => ({ body: { memberId: (await newMember(stage)).memberId } }),
  changeMemberRole: async (stage) => ({
    body: { memberId: (await newMember(stage)).memberId, role: 'admin' },
  }),
  removeMember: async (stage) => ({ body: { memberId: (await newMember(stage)).memberId } }),
  leaveOrganization: async (stage) => ({ visitor: (await newMember(stage)).guest }),
  undoMatchDecision: async (stage) => {
    await decide(stage, 'link', 'unlink', 'ignore')
    await restore(stage.world, stage.away)
    return { body: { decisionId: stage.away.ids.decision } }
  },
  unlinkMatch: (stage) => decide(stage, 'link'),
  ignoreMatch: (stage) => decide(stage, 'link', 'unlink'),
  restoreMatch: (stage) => decide(stage, 'link', 'unlink', 'ignore'),
  revokeSession: async ({ away, world }) => {
    const text = 'select max(id) as id from session where "userId" = $1'
    const [row] = await query<{ id: number }>(world.ownerUrl, text, [away.owner.userId])
    return { body: { sessionId: String(row?.id) } }
  },
  removeMatchRule: async ({ away }) => {
    const domain = 'late.example'
    await away.owner.post('/api/matches/rules', { domain, companyRecordId: null })
    return { body: { domain } }
  },
  cancelRun: async ({ away, world }) => {
    await away.owner.post('/api/import/historical')
    const text = `select id from runs where organization_id = $1 and status = 'in_progress'`
    const [row] = await query<{ id: string }>(world.ownerUrl, text, [away.owner.organizationId])
    return { path: `/api/sync/cancel/${row?.id}` }
  },
}

/** A delivery as Stripe signs it. */
async function delivery({ world, away }: SafetyStage): Promise<Shot> {
  await setSigningSecret(away)
  const url = `${origin}/api/stripe/webhooks/${away.ids.webhook}`
  const nowSeconds = Math.floor(world.now().getTime() / 1_000)
  const event = { object: 'event', type: 'customer.updated', created: nowSeconds, livemode: false }
  const [customer] = world.stripe.world.customers
  const signed = deliveryOf(
    { ...event, id: `evt_${nowSeconds}`, data: { object: customer } },
    { url, secret: `whsec_of_${away.word}` },
    nowSeconds,
  )
  const path = new URL(url).pathname
  return { method: 'POST', path, body: await signed.text(), headers: Object.fromEntries(signed.headers) }
}

/** The call by a permitted caller, after its preconditions are met. */
async function turnOf(stage: SafetyStage, call: ProbedCall): Promise<Turn> {
  const { world, away, visitors } = stage
  await world.drain()
  await restore(world, away)
  const by = call.access === 'operator' ? 'operator' : 'outsider'
  if (by === 'operator') await letIn(visitors.operator)
  const opening = (await openings[call.name]?.(stage)) ?? {}
  const shot =
    call.name === 'receiveStripeWebhook'
      ? await delivery(stage)
      : shotOf(call, { ...call.inputOf(away.ids), ...opening })
  return { call, shot, visitor: opening.visitor ?? visitors[by], by, strategy: 'turn' }
}

/** Every call of the contract in turn, over and over. */
export function createTurns(stage: SafetyStage): () => Promise<Turn> {
  let index = 0
  return () => {
    const call = contractCalls[index % contractCalls.length]
    index += 1
    if (call === undefined) throw new RangeError('There are no calls.')
    return turnOf(stage, call)
  }
}
