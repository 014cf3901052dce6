import type { Deps } from '#server/deps.ts'
import type { CrmPort } from '#server/providers/crm.ts'
import { saveConnection } from '#server/store/connections/connections.ts'
import { type Database, inOrganization } from '#server/store/postgres/database.ts'
import { listRunDetails } from '#server/store/runs/run-details.ts'
import { claimRun, findRun, findRunInProgress, type Run } from '#server/store/runs/runs.ts'
import { recountTotals } from '#server/store/totals/list-totals.ts'
import {
  type Authorization,
  authorizeCrm,
  type Connector,
  completeCrmAuthorization,
} from '#server/work/connections/connect-crm.ts'
import { withCrm } from '#server/work/crm/with-crm.ts'
import { pushCrm } from '#server/work/push/push-crm.ts'
import { startPart } from '#server/work/push/run-part.ts'
import { startPush, type WantedPush } from '#server/work/push/start-push.ts'
import type { CrmSeed, RateLimit } from '#simulators/hubspot/options.ts'
import { createHubspotSimulator, type HubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { newDatabase, type TestDatabase } from '../database.ts'
import { addOrganization, address, buildDeps } from './build-deps.ts'

export const enterprise = 24180001
export const starter = 24180002

/** More than any test produces. */
const detailsMax = 1_000

/** Replacements for the bench's own CRM and database in one push. */
export type Instead = { crm?: CrmPort; database?: Database }

/** An organization with a simulated HubSpot and a clock that a test moves. */
export type Bench = {
  deps: Deps
  simulator: HubspotSimulator
  clock: { now: number }
  connector: Connector
  organizationId: number
  connect(choice?: { hubId?: number; decision?: 'allow' | 'deny' }): Promise<Authorization>
  /** Starts a push and works on it to its end. */
  push(options?: Partial<WantedPush> & Instead): Promise<Run>
  /** Pushes only the records that were refused before. */
  retryFailed(): Promise<Run>
  /** Works on the running push, like the next worker after a crash. */
  resume(instead?: Instead): Promise<Run>
  /** The running push, if there is one. */
  findRunning(): Promise<Run | undefined>
  errorsOf(runId: string): Promise<string[]>
  /** The log lines of a run. */
  logOf(runId: string): Promise<string[]>
  control(path: string, body: object): Promise<void>
  /** Calls HubSpot like another tool of the customer, with a valid token. */
  ask(method: string, path: string, body?: object): Promise<unknown>
}

export { newDatabase }

/** `beside`: another organization with the same simulated HubSpot. */
export async function openBench(
  db: TestDatabase,
  options: { seed?: CrmSeed; rateLimit?: RateLimit; beside?: Bench } = {},
): Promise<Bench> {
  const clock = options.beside?.clock ?? { now: Date.UTC(2026, 9, 1, 12) }
  const simulator =
    options.beside?.simulator ??
    createHubspotSimulator({
      clock: () => clock.now,
      appUrl: address,
      apiUrl: address,
      rateLimit: options.rateLimit ?? { per10s: 1_000_000, searchPerSecond: 1_000_000 },
      ...(options.seed && { seedFrom: options.seed }),
      wait: async () => {},
    })
  const deps = buildDeps(db, simulator, clock)
  const connector = await addOrganization(db)
  const { organizationId } = connector
  await inOrganization(deps.database, organizationId, (tenant) =>
    saveConnection(tenant, {
      provider: 'payments',
      accountId: 'acct_1',
      isLive: false,
      sealedSecret: 'sealed',
      secretHint: null,
      at: deps.now(),
    }),
  )
  const work = (runId: string, instead: Instead) => {
    clock.now += 1_000
    return workOn(deps, organizationId, runId, instead)
  }
  const detailsOf = (runId: string) =>
    inOrganization(deps.database, organizationId, (tenant) => listRunDetails(tenant, runId, detailsMax))
  return {
    deps,
    simulator,
    clock,
    connector,
    organizationId,
    connect: (choice) => connect(deps, simulator, connector, choice),
    async push({ crm = deps.crm, database = deps.database, ...wanted } = {}) {
      const { runId } = await startPush(deps, organizationId, { retriesFailed: false, ...wanted })
      return work(runId, { crm, database })
    },
    retryFailed: async () =>
      work(await startPart(deps, organizationId, { part: 'failed', retriesFailed: true }), {}),
    findRunning: () => inOrganization(deps.database, organizationId, findRunInProgress),
    async resume(instead = {}) {
      const { runId, isNew } = await startPush(deps, organizationId)
      if (isNew) throw new Error('there was nothing to resume')
      return work(runId, instead)
    },
    errorsOf: async (runId) => (await detailsOf(runId)).errors.map(({ message }) => message),
    logOf: async (runId) => (await detailsOf(runId)).logs.map(({ line }) => line),
    async control(path, body) {
      const answer = await simulator.fetch(
        new Request(`${address}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
      if (!answer.ok) throw new Error(await answer.text())
    },
    ask: (method, path, body) =>
      withCrm(deps, organizationId, async ({ access }) => {
        const answer = await simulator.fetch(
          new Request(`${address}${path}`, {
            method,
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${await access.token()}`,
            },
            ...(body && { body: JSON.stringify(body) }),
          }),
        )
        const text = await answer.text()
        if (!answer.ok) throw new Error(text)
        return text === '' ? undefined : JSON.parse(text)
      }),
  }
}

async function workOn(deps: Deps, organizationId: number, runId: string, instead: Instead): Promise<Run> {
  const claimed = await claimRun(deps.database, organizationId, runId, deps.now())
  if (!claimed) throw new Error('there is no such run in progress')
  await pushCrm({ ...deps, ...instead }, claimed.claim, claimed.run, new AbortController().signal)
  return getRun(deps, organizationId, runId)
}

async function getRun(deps: Deps, organizationId: number, runId: string): Promise<Run> {
  const run = await inOrganization(deps.database, organizationId, (tenant) => findRun(tenant, runId))
  if (!run) throw new Error('the run is gone')
  return run
}

/** Completes the consent page as a person does, and returns the callback's answer. */
async function connect(
  deps: Deps,
  simulator: HubspotSimulator,
  connector: Connector,
  { hubId = enterprise, decision = 'allow' }: { hubId?: number; decision?: 'allow' | 'deny' } = {},
): Promise<Authorization> {
  const page = new URL(await authorizeCrm(deps, connector, 'popup'))
  const form = new URLSearchParams(page.search)
  form.set('hub_id', String(hubId))
  form.set('decision', decision)
  const answer = await simulator.fetch(
    new Request(`${address}/oauth/authorize`, { method: 'POST', body: form, redirect: 'manual' }),
  )
  const back = new URL(answer.headers.get('location') ?? 'http://nowhere.test')
  return completeCrmAuthorization(deps, connector, back.searchParams)
}

/** A customer with one subscription of `mrrCents` a month, begun by one event. */
export type LedgerRowSeed = {
  id: string
  name: string
  email: string | null
  mrrCents: number
  /** US dollars by default; another one is not converted yet. */
  currency?: string
}

export async function saveLedger(
  { deps, organizationId }: Bench,
  rows: readonly LedgerRowSeed[],
): Promise<void> {
  const at = deps.now()
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const { sql } = tenant
    for (const { id, name, email, mrrCents, currency = 'usd' } of rows) {
      const reportingCents = currency === 'usd' ? mrrCents : null
      await sql
        .insertInto('customers')
        .values({ organization_id: organizationId, id: `cus_${id}`, name, email, created_at: at })
        .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet({ name, email }))
        .execute()
      await sql
        .insertInto('subscriptions')
        .values({
          organization_id: organizationId,
          id: `sub_${id}`,
          customer_id: `cus_${id}`,
          status: 'active',
          body: '{}',
          created_at: at,
          current_mrr_cents: mrrCents,
          reporting_mrr_cents: reportingCents,
          currency,
          quantity: 1,
          product_name: 'Harbour Pro',
          updated_at: at,
        })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'id']).doUpdateSet({
            current_mrr_cents: mrrCents,
            reporting_mrr_cents: reportingCents,
            updated_at: at,
          }),
        )
        .execute()
      await sql
        .insertInto('events')
        .values({
          organization_id: organizationId,
          id: `ev_${id}`,
          subscription_id: `sub_${id}`,
          customer_id: `cus_${id}`,
          occurred_at: at,
          position: 0,
          mrr_status: 'New',
          change_type: 'new_subscription',
          previous_mrr_cents: 0,
          current_mrr_cents: 1_000,
          mrr_change_cents: 1_000,
          reporting_change_cents: currency === 'usd' ? 1_000 : null,
          previous_quantity: 0,
          current_quantity: 1,
          currency,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await recountTotals(tenant)
  })
}

/** All our records in the portal, with keys instead of ids: portals with equal dumps have equal contents. */
export function dumpCrm({ simulator }: Bench, hubId = enterprise) {
  const view = simulator.portal(hubId)
  const typeNamed = (name: string) => view.schemas().find((schema) => schema.name === name)?.typeId ?? ''
  const types = {
    subscription: typeNamed('tributary_subscription'),
    event: typeNamed('tributary_event'),
    company: '0-2',
    contact: '0-1',
  }
  const keyNames = ['stripe_subscription_id', 'tributary_event_id', 'domain', 'email', 'name']
  const keyOf = new Map<string, string>()
  const recordsOf = (kind: keyof typeof types) => {
    const typeId = types[kind]
    const rows = view.records(typeId).map((record) => {
      const key = keyNames.map((name) => record.properties[name]).find((value) => value !== undefined)
      keyOf.set(`${typeId}/${record.id}`, `${kind} ${key}`)
      const own = Object.entries(record.properties).filter(([name]) => !/^hs_|date$/.test(name))
      return Object.fromEntries(own.sort())
    })
    return rows.map((row) => JSON.stringify(row)).sort()
  }
  const records = {
    subscription: recordsOf('subscription'),
    event: recordsOf('event'),
    company: recordsOf('company'),
    contact: recordsOf('contact'),
  }
  const associations = Object.values(types).flatMap((from) =>
    Object.values(types).flatMap((to) =>
      view
        .associations(from, to)
        .map((tie) => `${keyOf.get(`${from}/${tie.fromId}`)} -> ${keyOf.get(`${to}/${tie.toId}`)}`),
    ),
  )
  return { ...records, associations: associations.sort() }
}
