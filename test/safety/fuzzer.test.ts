import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkLedgerPage, listOrphanedIds, listUnevenSnapshots } from '#server/store/ledger/ledger-check.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { origin } from '../api/test-app.ts'
import { run as query } from '../database.ts'
import type { Visitor } from '../harness.ts'
import { contractCalls, libraryCalls, type ProbedCall, pageCalls } from './calls.ts'
import { pick, seeded } from './chance.ts'
import { letIn, restore } from './fill.ts'
import { bend, breakOne, hostileHeaders, mistype, rawBody, type Shot, shotOf } from './hostile.ts'
import { type Ids, kinds, unknownIds } from './ids.ts'
import { fingerprintOf, listTenantTables } from './rows.ts'
import { type Identity, openStage, type SafetyStage } from './stage.ts'
import { createTurns } from './turns.ts'
import { faultOf, showsAll, toldToHolder } from './verdict.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 1)
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 400)
const healEvery = 500
/** After this many requests comes one that must succeed, from each call in turn. */
const turnEvery = Math.floor(requests / contractCalls.length)
const drainEvery = 2_000

// Thousands of requests in one test; their duration depends on the machine.
vi.setConfig({ testTimeout: 600_000 })

let stage: SafetyStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Calls that hash passwords slowly, or end what the rest of the run needs: used rarely. */
const seldom =
  /sign-(in|up|out)|password|disconnect|leave|transferOwnership|removeMember|changeMemberRole|revoke|connectStripe|Matching|pushAll|retryFailed|fixMissing|createHubspotObjects|delete|erase/i
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

/** Each id from the own organization, the other one, or unknown. */
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

/** A request, and its origin for the investigation of a finding. */
type Attack = { call: ProbedCall; shot: Shot; visitor: Visitor; by: Identity; strategy: string }

function nextAttack(random: () => number): Attack {
  const call = pick(random, random() < 0.97 ? often : rare)
  const by = pick(random, attackers)
  return { call, by, visitor: stage.visitors[by], ...nextShot(call, random) }
}

function nextShot(call: ProbedCall, random: () => number): { shot: Shot; strategy: string } {
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

/** Restores what the attackers removed from themselves, especially sessions. */
async function restoreAll(): Promise<void> {
  const { away, world, visitors } = stage
  await restore(world, away)
  for (const name of ['operator', 'homeless', 'former'] as const) await letIn(visitors[name])
}

async function fire(visitor: Visitor, { method, path, body, headers }: Shot) {
  // A delivery with a signature is logged under the organization of its address, as intended.
  const address = path.replaceAll(stage.home.ids.webhook, unknownIds.webhook)
  const answer = await visitor.fetch(`${origin}${address}`, {
    method,
    headers,
    ...(body !== null && { body }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
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
    const done = new Set<string>()
    const nextTurn = createTurns(stage)
    for (let index = 0; index < requests; index += 1) {
      if (index % healEvery === healEvery - 1) await restoreAll()
      if (index % drainEvery === drainEvery - 1) await world.drain()
      const isTurn = index % turnEvery === turnEvery - 1 && done.size < contractCalls.length
      const attack = isTurn ? await nextTurn() : nextAttack(random)
      const { call, shot, visitor, by, strategy } = attack
      const answer = await fire(visitor, shot)
      if (isTurn) done.add(call.name)
      const isRefused = isTurn && answer.status !== (call.endpoint?.answers === 'page' ? 302 : 200)
      const kind = `${Math.floor(answer.status / 100)}xx`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
      const maySee =
        [...toldToHolder, ...showsAll].includes(call.name) ||
        (call.access === 'operator' && by === 'operator')
      const leak = !maySee && answer.text.includes(home.word) ? 'shows another organization' : null
      const refused = isRefused ? `does not succeed: ${answer.status} ${answer.text.slice(0, 300)}` : null
      const fault = faultOf(call, shot.method, answer) ?? leak ?? refused
      if (fault !== null && !findings.has(`${call.name} ${fault}`)) {
        const told = JSON.stringify({ ...shot, body: String(shot.body).slice(0, 300) }).slice(0, 800)
        findings.set(`${call.name} ${fault}`, `#${index} ${by} ${strategy} ${told}`)
      }
    }
    const counts = [...statuses].sort().map(([kind, count]) => `${count} ${kind}`)
    process.stdout.write(
      `fuzzer: seed ${seed}, ${requests} requests over ${everyCall.length} routes (${counts.join(', ')}; ${done.size} of ${contractCalls.length} calls in a turn of theirs), ${findings.size} findings\n`,
    )
    expect([...findings]).toEqual([])
    // If every request were refused, the run would prove nothing: each call must have succeeded at least once.
    expect([...done].sort()).toEqual(contractCalls.map(({ name }) => name).sort())
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
