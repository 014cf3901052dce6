import { createApp } from './app.ts'
import type { CallerConnection } from './caller.ts'
import type { Association, HubspotRecord, Portal, Schema } from './entities.ts'
import { inject } from './faults/inject.ts'
import { FaultRules } from './faults/rules.ts'
import { listSchemas } from './object-types.ts'
import { type HubspotSimulatorOptions, settingsFrom } from './options.ts'
import { listPortals, openPortal } from './portals.ts'
import { associateByDomain } from './records/associate-by-domain.ts'
import { findRecord, liveRecords } from './records/find.ts'
import { RequestLedger } from './requests.ts'
import { seedPortal } from './seed.ts'
import { World } from './world.ts'

/** The contents of one portal, for tests. Archived and merged records are hidden. */
export type PortalView = {
  readonly portal: Portal
  readonly records: (typeId: string) => HubspotRecord[]
  /** Every record that was ever made, archived and merged ones included. */
  readonly everMade: (typeId: string) => HubspotRecord[]
  readonly schemas: () => Schema[]
  /** Ties from one type to another, in this direction, between live records. */
  readonly associations: (fromTypeId: string, toTypeId: string) => Association[]
}

export type HubspotSimulator = {
  /** Answers a request; over HTTP, pass this to a Node server, whose bindings let faults cut connections. */
  readonly fetch: (request: Request, env?: CallerConnection) => Promise<Response>
  readonly portal: (hubId: number) => PortalView
  readonly portals: () => Portal[]
  readonly requests: RequestLedger
  readonly faults: FaultRules
}

/**
 * A simulated HubSpot with the 2026-09 paths. Portals live in memory; with `journalPath` a file preserves them beyond
 * the process. docs/simulators.md lists behaviours and their sources.
 */
export function createHubspotSimulator(options: HubspotSimulatorOptions): HubspotSimulator {
  const settings = settingsFrom(options)
  const world = new World(settings, options.journalPath)
  for (const portal of settings.portals) {
    if (world.portals.get(String(portal.hubId)) !== undefined) continue
    openPortal(world, portal)
    if (options.seedFrom !== undefined) seedPortal(world, portal.hubId, options.seedFrom)
  }
  world.commit()
  const faults = new FaultRules()
  const requests = new RequestLedger()
  const app = createApp(world, faults, requests)
  const fetch: HubspotSimulator['fetch'] = async (request, env = {}) => {
    associateByDomain(world)
    const path = new URL(request.url).pathname
    const work = async () => await app.fetch(request, env)
    if (path.startsWith('/_')) return work()
    const entry = { at: world.now(), method: request.method, path }
    const rule = faults.take(request.method, path, world.now())
    try {
      const answer = await (rule === undefined ? work() : inject(rule, env, settings.wait, work))
      const inputs = Number(answer.headers.get('x-simulated-inputs') ?? 0)
      const fault = answer.headers.get('x-simulated-fault') ?? rule?.kind ?? null
      requests.note({ ...entry, status: answer.status, inputs, fault })
      return answer
    } catch (error) {
      requests.note({ ...entry, status: 0, inputs: 0, fault: rule?.kind ?? null })
      throw error
    }
  }
  return {
    fetch,
    requests,
    faults,
    portals: () => listPortals(world),
    portal: (hubId) => {
      associateByDomain(world)
      return viewOf(world, hubId)
    },
  }
}

function viewOf(world: World, hubId: number): PortalView {
  const portal = world.portals.get(String(hubId))
  if (portal === undefined) throw new Error(`There is no simulated portal ${hubId}`)
  return {
    portal,
    records: (typeId) => [...liveRecords(world, hubId, typeId)],
    everMade: (typeId) =>
      [...world.records.values()].filter((record) => record.hubId === hubId && record.typeId === typeId),
    schemas: () => listSchemas(world, hubId),
    associations: (fromTypeId, toTypeId) => {
      const isStanding = (typeId: string, id: string) => findRecord(world, hubId, typeId, id) !== undefined
      const all = [...world.associations.values()].filter((tie) => tie.hubId === hubId)
      return all.filter(
        (tie) =>
          tie.fromTypeId === fromTypeId &&
          tie.toTypeId === toTypeId &&
          isStanding(fromTypeId, tie.fromId) &&
          isStanding(toTypeId, tie.toId),
      )
    },
  }
}
