import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { errorBody } from '#contract/errors.ts'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { origin } from '../api/test-app.ts'
import { run as query } from '../database.ts'
import { ask, type ProbeAnswer, smuggle, withId } from './ask.ts'
import { contractCalls, libraryCalls, type ProbedCall, pageCalls } from './calls.ts'
import { unknownIds } from './ids.ts'
import { fingerprintOf } from './rows.ts'
import { type Identity, identities, openStage, type SafetyStage } from './stage.ts'
import { showsAll, toldToHolder } from './verdict.ts'

// Thousands of requests in one test; their duration depends on the machine.
vi.setConfig({ testTimeout: 600_000 })

let stage: SafetyStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const calls = [...contractCalls, ...libraryCalls, ...pageCalls]
/**
 * `npm run prove -- prober` tries every place as everybody. Otherwise an organization is smuggled into one place of each
 * call, in turn, and those who are refused before anything else is read try that or one id.
 */
const isLong = process.env['PROBES'] === 'all'
let turn = 0
const inTurn = <Place>(places: readonly Place[]) =>
  places.filter((_, index) => isLong || index === Math.floor(turn / 2) % places.length)
const strangers = identities.filter((identity) => !['member', 'admin', 'owner'].includes(identity))
const counted = { probes: 0, places: new Set<string>(), findings: [] as string[] }

/** Calls whose answer depends only on the number: they concern no one's data. */
const tellsNothing = ['getTestSubscriptionData']

/** How a call refuses an identity before it does anything; null if it lets them through. */
function refusalOf({ access }: ProbedCall, identity: Identity): string | null {
  if (access === 'public' || access === 'library' || access === 'page') return null
  if (['anonymous', 'forged', 'expired'].includes(identity)) return '401 unauthenticated'
  if (access === 'operator') return identity === 'operator' ? null : '403 forbidden'
  if (access === 'user') return null
  if (['homeless', 'former'].includes(identity)) return '403 needs_organization'
  return access === 'admin' && identity === 'member' ? '403 forbidden' : null
}

function judge(call: ProbedCall, identity: Identity, answer: ProbeAnswer): void {
  counted.probes += 1
  const find = (what: string) => counted.findings.push(`${identity} ${call.name}: ${what}`)
  const refusal = refusalOf(call, identity)
  const told = `${answer.status} ${errorBody.safeParse(jsonOf(answer.text)).data?.error.code}`
  if (refusal !== null && told !== refusal) find(`answered ${told} in place of ${refusal}`)
  if (answer.status >= 500) find(`answered ${answer.status}`)
  const isOperatorsRead = call.access === 'operator' && identity === 'operator'
  const isStranger = strangers.includes(identity)
  if (
    isStranger &&
    !isOperatorsRead &&
    !showsAll.includes(call.name) &&
    !toldToHolder.includes(call.name) &&
    answer.text.includes(stage.home.word)
  )
    find('shows the word of another organization')
}

/** Asks with a foreign id and with an unknown one; a caller without rights to the first must get the same answer. */
async function compare(
  call: ProbedCall,
  identity: Identity,
  probe: (id: 'foreign' | 'unknown') => Promise<ProbeAnswer>,
): Promise<void> {
  const foreign = await probe('foreign')
  const unknown = await probe('unknown')
  judge(call, identity, foreign)
  judge(call, identity, unknown)
  const isOperatorsRead = call.access === 'operator' && identity === 'operator'
  if (isOperatorsRead || [...tellsNothing, ...toldToHolder].includes(call.name)) return
  if (foreign.seen === unknown.seen) return
  counted.findings.push(
    `${identity} ${call.name}: a foreign id is answered ${foreign.seen}, an unknown ${unknown.seen}`,
  )
}

async function probePlaces(call: ProbedCall, identity: Identity): Promise<void> {
  const visitor = stage.visitors[identity]
  const own = call.inputOf(identity === 'outsider' ? stage.away.ids : unknownIds)
  for (const place of refusalOf(call, identity) === null ? call.places : inTurn(call.places)) {
    counted.places.add(`${call.name} ${place.part} ${place.name}`)
    const { kind } = place
    await compare(call, identity, async (whose) => {
      const id = (whose === 'foreign' ? stage.home.ids : unknownIds)[kind]
      const answer = await ask(visitor, call, withId(call, own, place, id))
      // An answer may repeat the id that it was asked about. A number may also be a part of another.
      const whole = new RegExp(`(?<![\\w-])${id.replaceAll('.', '\\.')}(?![\\w-])`, 'g')
      return { ...answer, seen: answer.seen.replaceAll(whole, 'the id') }
    })
  }
}

async function probeSmuggling(call: ProbedCall, identity: Identity): Promise<void> {
  const isChange = call.method !== 'GET'
  // A change that ignores the header happens in the caller's own organization; the last phase covers that.
  const ways = isChange ? (['query', 'body'] as const) : (['query', 'header'] as const)
  if (call.access === 'library' && isChange) return
  for (const into of inTurn(ways)) {
    counted.places.add(`${call.name} ${into} organization`)
    // The body of this call is bytes, which are not read before the signature is checked.
    if (call.endpoint?.reads === 'bytes' && into === 'body') continue
    if (call.places.some(({ part, name }) => part === into && name === 'organizationId')) continue
    await compare(call, identity, (whose) => {
      const { organization } = whose === 'foreign' ? stage.home.ids : unknownIds
      const { input, headers } = smuggle(call.inputOf(unknownIds), into, organization)
      return ask(stage.visitors[identity], call, input, headers)
    })
  }
}

/** Changes that callers may make to their own data: they come last, because they change the caller. */
const isOwnChange = (call: ProbedCall, identity: Identity) =>
  call.method !== 'GET' && call.places.length === 0 && refusalOf(call, identity) === null

describe('the prober', () => {
  it('finds nothing of one organization in what anybody else is answered', async () => {
    const { world, home } = stage
    const before = await fingerprintOf(world.ownerUrl, home.owner.organizationId)
    for (const identity of strangers) {
      for (const call of calls) {
        if (!isOwnChange(call, identity)) {
          judge(call, identity, await ask(stage.visitors[identity], call, call.inputOf(unknownIds)))
        }
        const isEach = isLong || refusalOf(call, identity) === null
        if (isEach || turn % 2 === 0) await probePlaces(call, identity)
        if (isEach || turn % 2 === 1) await probeSmuggling(call, identity)
        turn += 1
      }
    }
    for (const call of contractCalls.filter(({ access }) => access === 'admin'))
      await probePlaces(call, 'member')
    const own = contractCalls.filter(
      (call) => isOwnChange(call, 'outsider') && call.name !== 'createOrganization',
    )
    for (const call of own) {
      const input = call.inputOf(stage.away.ids)
      judge(call, 'outsider', await ask(stage.visitors.outsider, call, input, headerOfHome()))
    }
    expect(counted.findings).toEqual([])
    expect(await fingerprintOf(world.ownerUrl, home.owner.organizationId)).toEqual(before)
    const { probes, places } = counted
    process.stdout.write(
      `prober: ${calls.length} routes x ${identities.length} identities x ${places.size} places = ${probes} probes, ${counted.findings.length} findings\n`,
    )
    expect(probes).toBeGreaterThan(2_000)
  })

  it('left no line in the log of the organization but of the operator who looked', async () => {
    const { home, world } = stage
    const rows = await query(
      world.ownerUrl,
      `select distinct action from audit_log where organization_id = $1 and actor_email not like '%@staff.example'
          and actor_email <> $2`,
      [home.owner.organizationId, home.owner.email],
    )
    expect(rows).toEqual([{ action: 'operator_read' }])
  })
})

describe('the rightful member, in the same run', () => {
  it.each(['member', 'admin', 'owner'] as const)('reads what is theirs as %s', async (identity) => {
    const reads = contractCalls.filter(
      (call) => call.method === 'GET' && call.endpoint?.answers === 'json' && call.access !== 'operator',
    )
    let shown = 0
    for (const call of reads) {
      const answer = await ask(stage.visitors[identity], call, call.inputOf(stage.home.ids))
      const isRefused = refusalOf(call, identity) !== null
      expect([call.name, answer.status]).toEqual([call.name, isRefused ? 403 : 200])
      if (answer.text.includes(stage.home.word)) shown += 1
    }
    expect(shown).toBeGreaterThan(10)
  })

  it.each(contractCalls.filter(({ places }) => places.length > 0))(
    'is told more of an own id than of an unknown one by $name',
    async (call) => {
      const identity = call.access === 'operator' ? 'operator' : 'owner'
      // `countDomain` only leaves the customer out of a count, and nobody waits on this domain.
      const others = [
        'countDomain',
        'acceptInvitation',
        'getInvitation',
        'revokeSession',
        'receiveStripeWebhook',
      ]
      if (others.includes(call.name)) return
      for (const place of call.places) {
        const own = call.inputOf(stage.home.ids)
        const unknown = await ask(
          stage.visitors[identity],
          call,
          withId(call, own, place, unknownIds[place.kind]),
        )
        const known = await ask(stage.visitors[identity], call, own)
        expect([call.name, place.name, known.seen]).not.toEqual([call.name, place.name, unknown.seen])
        expect(known.status).not.toBe(404)
        expect(known.text).not.toContain(stage.away.word)
      }
    },
  )

  it('accepts an invitation, has a delivery taken and ends a session of theirs, where others met nothing', async () => {
    const { world, home, visitors } = stage
    await home.owner.post('/api/identity/organization/invite-member', {
      email: 'late@staff.example',
      role: 'member',
    })
    const late = await world.person({ email: 'late@staff.example', organization: null })
    const [open] = await query<{ token: string }>(
      world.ownerUrl,
      `select token from invitation where email = 'late@staff.example'`,
    )
    await late.post('/api/identity/organization/accept-invitation', { invitationId: open?.token })
    const url = `${origin}/api/stripe/webhooks/${home.ids.webhook}`
    const nowSeconds = Math.floor(world.now().getTime() / 1000)
    const event = {
      id: 'evt_1',
      object: 'event',
      type: 'customer.updated',
      created: nowSeconds,
      livemode: false,
    }
    const [customer] = world.stripe.world.customers
    const signed = deliveryOf(
      { ...event, data: { object: customer } },
      { url, secret: `whsec_of_${home.word}` },
      nowSeconds,
    )
    expect((await world.app.fetch(signed)).status).toBe(200)
    await home.owner.post('/api/identity/sessions/revoke', { sessionId: home.ids.session })
    expect((await visitors.owner.fetch('/api/settings/sync')).status).toBe(401)
  })
})

function headerOfHome(): Record<string, string> {
  return { 'x-organization-id': stage.home.ids.organization }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
