import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { origin } from '#server/api/test-support.ts'
import { inOrganization } from '#server/store/database.ts'
import { checkLedgerPage, listOrphanedIds, listUnevenSnapshots } from '#server/store/ledger-check.ts'
import { run as query } from '../database.ts'
import type { Visitor } from '../harness.ts'
import { type Call, contractCalls, libraryCalls, pageCalls } from './calls.ts'
import { pick, seeded } from './chance.ts'
import { bend, breakOne, hostileHeaders, mistype, rawBody, type Shot, shotOf } from './hostile.ts'
import { type Ids, kinds, unknownIds } from './ids.ts'
import { fingerprintOf, listTenantTables } from './rows.ts'
import { openStage, type Stage } from './stage.ts'
import { faultOf } from './verdict.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 20_000)
const healEvery = 500
const drainEvery = 4_000

// Thousands of requests in one test; how long they take is the machine's business.
vi.setConfig({ testTimeout: 600_000 })

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Calls that hash passwords on purpose slowly, or end what the rest of the run needs: asked seldom. */
const seldom =
  /sign-(in|up|out)|password|disconnect|leave|transferOwnership|removeMember|changeMemberRole|revoke|connectStripe|Matching|pushAll|retryFailed|fixMissing|createHubspotObjects/i
const everyCall = [...contractCalls, ...libraryCalls, ...pageCalls]
const often = everyCall.filter(({ name }) => !seldom.test(name))
const rare = everyCall.filter(({ name }) => seldom.test(name))
const attackers = [
  'outsider',
  'outsider',
  'outsider',
  'operator',
  'homeless',
  'former',
  'anonymous',
  'forged',
] as const

/** Each id from the own organization, the other one, or from nowhere. */
function mixedIds(random: () => number): Ids {
  const whose = () => pick(random, [stage.away.ids, stage.away.ids, stage.home.ids, unknownIds])
  return Object.fromEntries(kinds.map((kind) => [kind, whose()[kind]])) as Ids
}

const strategies = [
  'valid',
  'valid',
  'broken',
  'broken',
  'broken',
  'mistyped',
  'raw',
  'bent',
  'headers',
] as const

function nextShot(call: Call, random: () => number): { shot: Shot; strategy: string } {
  const strategy = pick(random, strategies)
  const input = call.inputOf(mixedIds(random), random)
  const shot = shotOf(call, input)
  switch (strategy) {
    case 'broken':
      return { strategy, shot: shotOf(call, breakOne(input, random)) }
    case 'mistyped':
      return { strategy, shot: shotOf(call, mistype(input, random)) }
    case 'raw':
      return {
        strategy,
        shot: shot.body === null ? shot : { ...shot, body: rawBody(random, String(shot.body)) },
      }
    case 'bent':
      return { strategy, shot: bend(shot, random) }
    case 'headers':
      return { strategy, shot: { ...shot, headers: { ...shot.headers, ...hostileHeaders(random) } } }
    default:
      return { strategy, shot }
  }
}

async function fire(visitor: Visitor, { method, path, body, headers }: Shot) {
  // A delivery that names a signature leaves a note with whom its address belongs to, as it should.
  const address = path.replaceAll(stage.home.ids.webhook, unknownIds.webhook)
  const answer = await visitor.fetch(`${origin}${address}`, {
    method,
    headers,
    ...(body !== null && { body }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Gives the attacker back what they took from themselves, so that the run does not end at closed doors. */
async function heal(): Promise<void> {
  const { world, away } = stage
  const { userId, organizationId } = away.owner
  await query(
    world.ownerUrl,
    `insert into member ("organizationId", "userId", role, "createdAt") values ($1, $2, 'owner', now())
     on conflict ("organizationId", "userId") do update set role = 'owner'`,
    [organizationId, userId],
  )
  const { status } = await away.owner.fetch('/api/settings/sync')
  if (status === 200) return
  away.owner.cookies.clear()
  await away.owner.signIn()
  await away.owner.post('/api/identity/organization/set-active', { organizationId: String(organizationId) })
}

describe('the fuzzer', () => {
  it(`makes ${requests} requests of which none is answered with a fault`, {
    timeout: 3_600_000,
  }, async () => {
    const { world, home } = stage
    const before = await fingerprintOf(world.ownerUrl, home.owner.organizationId)
    const random = seeded(seed)
    const findings = new Map<string, string>()
    const statuses = new Map<string, number>()
    const reached = new Set<string>()
    for (let index = 0; index < requests; index += 1) {
      if (index % healEvery === healEvery - 1) await heal()
      if (index % drainEvery === drainEvery - 1) await world.drain()
      const call = pick(random, random() < 0.97 ? often : rare)
      const identity = pick(random, attackers)
      const { shot, strategy } = nextShot(call, random)
      const answer = await fire(stage.visitors[identity], shot)
      if (answer.status < 400 && shot.method === call.method && call.endpoint !== null) reached.add(call.name)
      const kind = `${Math.floor(answer.status / 100)}xx`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
      const maySee = call.name === 'GET /outbox' || (call.access === 'operator' && identity === 'operator')
      const leak = !maySee && answer.text.includes(home.word) ? 'shows another organization' : null
      const fault = faultOf(call, shot.method, answer) ?? leak
      if (fault !== null && !findings.has(`${call.name} ${fault}`)) {
        const told = JSON.stringify({ ...shot, body: String(shot.body).slice(0, 300) }).slice(0, 800)
        findings.set(`${call.name} ${fault}`, `#${index} ${identity} ${strategy} ${told}`)
      }
    }
    const counts = [...statuses].sort().map(([kind, count]) => `${count} ${kind}`)
    process.stdout.write(
      `fuzzer: seed ${seed}, ${requests} requests over ${everyCall.length} routes (${counts.join(', ')}; ${reached.size} of ${contractCalls.length} calls done), ${findings.size} findings\n`,
    )
    expect([...findings]).toEqual([])
    // A run that only met closed doors would prove nothing.
    expect(reached.size / contractCalls.length).toBeGreaterThan(0.6)
    expect(await fingerprintOf(world.ownerUrl, home.owner.organizationId)).toEqual(before)
  })

  it('leaves a healthy server, and figures that add up', async () => {
    const { world, home, away } = stage
    for (const path of ['/healthz', '/readyz', '/api/health']) {
      expect((await world.stranger().fetch(path)).status).toBe(200)
    }
    expect((await home.owner.fetch('/api/dashboard/stats')).status).toBe(200)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('isAdmin' in {}).toBe(false)
    for (const { owner } of [home, away]) {
      const uneven = await inOrganization(world.deps.database, owner.organizationId, async (tenant) => [
        ...(await checkLedgerPage(tenant, { after: '', limit: 10_000 })).unevenIds,
        ...(await listOrphanedIds(tenant, 10)),
        ...(await listUnevenSnapshots(tenant, world.now())),
      ])
      expect(uneven).toEqual([])
    }
  })

  it('leaves no row without an organization and no second run in progress', async () => {
    const { ownerUrl } = stage.world
    for (const { name, column } of await listTenantTables(ownerUrl)) {
      const stray = `select 1 from "${name}" t where not exists (select from organization o where o.id = t."${column}")`
      expect([name, await query(ownerUrl, stray)]).toEqual([name, []])
    }
    const doubled = `select organization_id from runs where status = 'in_progress' group by 1 having count(*) > 1`
    expect(await query(ownerUrl, doubled)).toEqual([])
  })
})
