// Any number of processes read the windows of a run. Until the first current figures stand, each list of the history gets
// two windows at a time, so that current figures come first even where the machine is the limit (`chooseWindows`).

import { inOrganization } from '../../store/postgres/database.ts'
import { findPlan, type ImportMode } from '../../store/runs/import-plans.ts'
import {
  type ImportWindow,
  listOpenWindows,
  type OpenWindow,
  releaseWindows,
  renewLeases,
  takeWindows,
} from '../../store/runs/import-windows.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { createTaskGroup } from '../runs/task-group.ts'
import { importWindow, type WindowReading } from './import-window.ts'
import { chooseWindows } from './next-windows.ts'
import { createPageWriter } from './save-pages.ts'
import { createCuts } from './window-splitting.ts'
import { leaseOf, renewEveryMs } from './windows.ts'

/** One process reads at most this number of windows at once; the account's rate limit is the real bound. */
const windowsAtOnce = 16
/** How often a process checks for windows that others cut, and for progress of each kind. */
const lookEveryMs = 1_000

/**
 * Reads windows of the run until none is left. Only the holder of a lease reads a window; when a dead holder's
 * lease ends, another reader continues from the saved cursor. Calls `onProgress` at least once a second.
 */
export async function readWindows(
  context: ImportContext,
  { mode, onProgress }: { mode: ImportMode; onProgress: () => void },
): Promise<void> {
  const { deps } = context
  const holder = deps.newId()
  const group = createTaskGroup(context.signal)
  const inGroup = { ...context, signal: group.signal }
  const cuts = createCuts()
  const reading: WindowReading = {
    holder,
    writer: createPageWriter(inGroup, { holder, mode }),
    keptShareOf: ({ id, kind }, pagesLeft) => cuts.keptShareOf({ id, kind, pagesLeft }),
    onCut: (kind, parts) => {
      cuts.noteCut(kind, parts)
      group.wake()
    },
    onSaved: onProgress,
    onAllPagesRead: group.wake,
  }
  const read = (window: ImportWindow) =>
    importWindow(inGroup, window, reading).finally(() => cuts.forget(window.id))
  const renewing = setInterval(() => void keepLeases(context, holder), renewEveryMs)
  const looking = setInterval(group.wake, lookEveryMs)
  try {
    while (!group.signal.aborted) {
      const changed = group.changed()
      const wasReading = group.size > 0
      const { taken, open } = await take(inGroup, holder, windowsAtOnce - group.size)
      cuts.noteOpen(open)
      onProgress()
      for (const window of taken) group.start(() => read(window))
      if (group.size > 0) await changed
      else if (open.length === 0) break
      // The query still found a window that ended meanwhile, or others read the rest.
      else if (!wasReading) await deps.sleep(lookEveryMs, context.signal)
    }
  } catch (error) {
    group.fail(error)
  } finally {
    clearInterval(renewing)
    clearInterval(looking)
    await group.end().finally(() => release(context, holder))
  }
}

/** Leases up to `limit` of the open windows, in the order of `chooseWindows`. */
async function take(
  context: ImportContext,
  holder: string,
  limit: number,
): Promise<{ taken: ImportWindow[]; open: OpenWindow[] }> {
  const { runId } = context.claim
  return write(context, async (tenant) => {
    const plan = await findPlan(tenant, runId)
    const open = await listOpenWindows(tenant, runId, holder)
    const chosen = chooseWindows(open, { limit, figuresStand: plan?.figuresStand ?? true })
    if (chosen.length === 0) return { taken: [], open }
    const ids = chosen.map(({ id }) => id)
    return { taken: await takeWindows(tenant, runId, leaseOf(holder), ids), open }
  })
}

/**
 * Renews the leases while pages take long, for instance while the provider limits requests. A failure shows
 * at the next write.
 */
async function keepLeases({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    renewLeases(tenant, claim.runId, leaseOf(holder)),
  ).catch(() => {})
}

/** Releases the leases early, so that others need not wait. If this fails, they wait until the leases end. */
async function release({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    releaseWindows(tenant, claim.runId, holder),
  ).catch(() => {})
}
