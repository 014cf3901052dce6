import { crmKinds } from '#domain/crm-record.ts'
import { unansweredText } from '#domain/provider-names.ts'
import type { Deps, ObservedLags } from '../../deps.ts'
import type { CrmObjectTypes } from '../../providers/crm.ts'
import { asSentence, ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import { countRunOutcomes } from '../../store/crm/crm-links.ts'
import type { CrmObjectRow } from '../../store/crm/crm-objects.ts'
import { countStillRefused } from '../../store/crm/refusals.ts'
import { noteRewritten } from '../../store/erasure/erasures.ts'
import { packLists } from '../../store/lists/pack-lists.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { manyRows, refreshStatistics } from '../../store/postgres/statistics.ts'
import { countErrorLines } from '../../store/runs/run-details.ts'
import { addRunErrors, addRunLog } from '../../store/runs/run-lines.ts'
import { type Claim, endRun, inRun, type Run, reportProgress } from '../../store/runs/runs.ts'
import { describeAgain } from '../crm/describe-again.ts'
import { ensureObjects } from '../crm/ensure-crm-objects.ts'
import { createHeldWrites } from '../crm/held-writes.ts'
import { type CrmSession, withCrm } from '../crm/with-crm.ts'
import { type MatchCounts, runMatching } from '../match/run-matching.ts'
import { lagsOf } from '../runs/lags-of.ts'
import { totalsAfter } from '../runs/run-context.ts'
import { basisOfConverted } from './converted-basis.ts'
import { readPaymentLinks } from './payment-links.ts'
import { countPlanned } from './planned-records.ts'
import { createPushProgress } from './progress.ts'
import { closeScope, extendScope, isAnyDue, openScope, settleScope } from './push-scope.ts'
import { matchSessionOf, type PushSession, pushOptionsOf } from './push-session.ts'
import { removeVanished } from './remove-vanished.ts'
import { lookAtRecords } from './repair/inspect-records.ts'
import { createRepairReport } from './repair/repair-report.ts'
import { associating } from './write-associations.ts'
import { writeRecords } from './write-records.ts'

/** The pauses before each retry while the CRM does not answer; after the last one the push gives up. */
const patienceMs = [5_000, 15_000, 45_000]
/** The longest pause, requested by the CRM, that a push waits out; also the longest series of failures. */
const patienceMaxMs = 120_000
/** A failure later than this after the last one starts a new count. */
const forgetAfterMs = 10 * 60_000

/**
 * Pushes until everything has an outcome, and ends the run. It may stop anywhere and start again: each confirmation
 * is saved at once and every write is repeatable. Throws RunLost or a ProviderError.
 */
export async function pushCrm(deps: Deps, claim: Claim, run: Run, signal: AbortSignal): Promise<void> {
  let failures = { count: 0, firstAt: 0, lastAt: 0 }
  let isBegun = claim.attempt > 1
  for (;;) {
    try {
      const work = (crm: CrmSession) => pushAll({ deps, claim, run, isBegun }, crm)
      return await withCrm(deps, claim.organizationId, work, signal)
    } catch (error) {
      isBegun = true
      if (error instanceof Refusal) return endRefused(deps, claim, error)
      const at = deps.now().getTime()
      if (at - failures.lastAt > forgetAfterMs) failures = { count: 0, firstAt: at, lastAt: at }
      const waitMs = patienceMs[failures.count]
      if (!isPassing(error) || waitMs === undefined || at - failures.firstAt > patienceMaxMs) throw error
      failures = { ...failures, count: failures.count + 1, lastAt: at }
      const message = error.isAnswered
        ? `${asSentence(error.message)} Trying again in a moment.`
        : unansweredText('crm')
      await reportProgress(deps.database, claim, { message })
      await deps.sleep(Math.max(waitMs, error.retryAfterMs ?? 0), signal)
    }
  }
}

/**
 * Errors that may pass within two minutes; a used-up daily limit or an account migration waits for a later attempt.
 */
function isPassing(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.isWorthRetrying && (error.retryAfterMs ?? 0) <= patienceMaxMs
}

function endRefused(deps: Deps, claim: Claim, refusal: Refusal): Promise<void> {
  return endRun(deps.database, claim, {
    status: 'failed',
    message: 'It could not be finished.',
    error: refusal.message,
    at: deps.now(),
  })
}

/**
 * Tables that matching fills and associations read. Links follow once they include those of events: if statistics
 * show none, the planner considers any index as good as the right one.
 */
const matchedTables = ['matches', 'crm_companies', 'crm_contacts'] as const

/** `isBegun`: something may be pushed already, by an earlier attempt or before the CRM was away. */
type Pushing = { deps: Deps; claim: Claim; run: Run; isBegun: boolean }

async function pushAll(pushing: Pushing, crm: CrmSession): Promise<void> {
  const { deps } = pushing
  const startedAt = deps.now()
  const session = await openSession(pushing, crm)
  const { progress } = session
  await progress.enter('matching', 'Looking for companies and contacts')
  await match(session)
  if (session.scope === 'all') await describeAgain(deps, pushing.claim.organizationId, session)
  if (!session.onlyFailed) {
    await progress.enter('looking', `Looking for changes made in ${deps.crm.name}`)
    for (const kind of crmKinds) await lookAtRecords(session, kind)
  }
  await settleScope(session)
  if (isAnyDue(session)) await writeDue(session)
  await session.mends.close()
  await end(session, startedAt)
}

/** Writes, removes and associates what is due among the customers in the scope. */
async function writeDue(session: PushSession): Promise<void> {
  const { deps, claim, progress } = session
  await progress.enter('planning', 'Comparing with what was synced before')
  const planned = await countPlanned(session)
  await progress.plan(planned.subscription + planned.event)
  await progress.enter('subscriptions', 'Syncing subscriptions')
  if (planned.subscription > 0) await writeRecords(session, 'subscription')
  const isMany = progress.counts.total >= manyRows
  if (isMany) await refreshStatistics(deps.database, matchedTables)
  const isSubscriptionMoved = await associating(session, 'subscription').finish()
  await progress.enter('events', 'Syncing events')
  const ofEvents = associating(session, 'event')
  if (planned.event > 0) await writeRecords(session, 'event', ofEvents.follow)
  if (isMany) await refreshStatistics(deps.database, [...matchedTables, 'crm_links'])
  await removeVanished(session)
  await progress.enter('associations', 'Associating records with companies and contacts')
  const isEventMoved = await ofEvents.finish()
  if (isSubscriptionMoved || isEventMoved) {
    await match(session)
    await extendScope(session)
    for (const kind of crmKinds) await associating(session, kind).finish()
  }
  if (isMany) await refreshStatistics(deps.database, ['crm_associations'])
  await inRun(deps.database, claim, (tenant) => packLists(tenant, totalsAfter(claim)))
}

async function end(session: PushSession, startedAt: Date): Promise<void> {
  const { deps, claim, progress } = session
  const message = await completedMessage(session)
  const error = session.held.explain(deps.crm.name)
  let lags: ObservedLags | undefined
  await endRun(
    deps.database,
    claim,
    {
      status: error === null ? 'completed' : 'failed',
      message,
      // Where one kind of write is refused, the others go on.
      ...(error !== null && { error, isOfSeveral: true }),
      at: deps.now(),
      totalRecords: progress.counts.processed,
      processedRecords: progress.counts.processed,
      failedRecords: progress.counts.failed,
    },
    async (tenant) => {
      lags = await lagsOf(tenant, 'crm', await closeScope(tenant, session, startedAt), deps)
      await noteRewritten(tenant, deps.now())
    },
  )
  if (lags) deps.observeLags(lags)
}

async function openSession({ deps, claim, run, isBegun }: Pushing, crm: CrmSession): Promise<PushSession> {
  const { organizationId } = claim
  const links = await readPaymentLinks(deps, organizationId)
  const before = isBegun
    ? await inOrganization(deps.database, organizationId, (tenant) =>
        countRunOutcomes(tenant, crm.access.portalId, run.id),
      )
    : { settled: 0, failed: 0 }
  const progress = createPushProgress(deps, claim, before)
  const access = { ...crm.access, onHeard: progress.onHeard }
  await progress.enter('objects', `Checking the objects in ${deps.crm.name}`)
  const { rows, mended, converted, lacking } = await ensureObjects(deps, organizationId, { ...crm, access })
  const mends = createRepairReport(deps, claim)
  await inRun(deps.database, claim, async (tenant) => {
    for (const line of mended) await mends.mended(tenant, line)
    for (const line of lacking) await mends.parked(tenant, null, line)
  })
  const objectTypes = typesOf(deps, rows)
  const opened = {
    ...{ deps, claim, access, objectTypes, converted, links, progress, mends },
    held: createHeldWrites(),
    basis: [links.subscription(''), ...(await basisOfConverted(deps, crm, organizationId, converted))].join(
      ' ',
    ),
    isLeftOpen: false,
    ...pushOptionsOf(run),
  }
  return { ...opened, scope: await openScope(opened) }
}

function typesOf(deps: Deps, rows: readonly CrmObjectRow[]): CrmObjectTypes {
  const typeOf = (kind: CrmObjectRow['kind']) => {
    const row = rows.find((one) => one.kind === kind)
    if (row?.state === 'ready' && row.objectTypeId !== null) return row.objectTypeId
    throw new Refusal(
      'provider_refused',
      `The custom objects are not ready in ${deps.crm.name}. Look at the card ${deps.crm.name} on Data Sync.${row?.reason ? ` ${row.reason}` : ''}`,
    )
  }
  return { subscription: typeOf('subscription'), event: typeOf('event') }
}

/** Reports about companies and contacts in one run; each match also keeps its own reason. */
const reportsMax = 10_000

async function match(session: PushSession): Promise<void> {
  const { deps, claim } = session
  const reports: { sourceId: string | null; message: string }[] = []
  const counts = await runMatching({
    ...matchSessionOf(session),
    report: (sourceId, message) => {
      if (reports.length < reportsMax) reports.push({ sourceId, message })
    },
  })
  await inRun(deps.database, claim, async (tenant) => {
    await addRunErrors(tenant, claim.runId, reports, deps.now())
    await addRunLog(tenant, claim.runId, matchedLine(counts), deps.now())
  })
}

/** Its numbers add up to the open customers. */
function matchedLine({ processed, matched, hadCompany }: MatchCounts): string {
  const waiting = processed - matched - hadCompany
  const others = hadCompany === 0 ? '' : `, ${hadCompany} lacked only a contact`
  return `Matched ${matched} of ${processed} open customers; ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for review${others}.`
}

async function completedMessage({ deps, claim, access, progress }: PushSession): Promise<string> {
  const { name } = deps.crm
  const { processed, failed } = progress.counts
  const { told, refused } = await inOrganization(deps.database, claim.organizationId, async (tenant) => {
    const lines = await countErrorLines(tenant, claim.runId)
    const isNothing = processed === 0 && lines === 0
    return { told: lines, refused: isNothing ? await countStillRefused(tenant, access.portalId) : null }
  })
  if (refused) return nothingDone(name, refused)
  const written = processed - failed
  const done =
    processed === 0
      ? 'No record had to be written.'
      : `Synced ${written} ${written === 1 ? 'record' : 'records'} to ${name}.`
  const failures = failed === 0 ? '' : ` ${failed} could not be synced.`
  const others = told - failed
  if (others <= 0) return `${done}${failures}`
  return `${done}${failures} Sync History tells of ${others} more ${others === 1 ? 'problem' : 'problems'} beside the records.`
}

/** An automatic push skips what was refused before, but must not call it up to date. */
function nothingDone(
  name: string,
  { listed, unremoved }: Awaited<ReturnType<typeof countStillRefused>>,
): string {
  if (listed + unremoved === 0) return `Everything in ${name} is up to date.`
  const records = `${listed} ${listed === 1 ? 'record' : 'records'}`
  const refused = listed === 0 ? '' : ` ${name} still refuses ${records}: Sync Health says why.`
  const gone =
    unremoved === 1
      ? '1 record of an event that no longer exists'
      : `${unremoved} records of events that no longer exist`
  const kept = unremoved === 0 ? '' : ` ${name} still refuses to remove ${gone}.`
  return `Nothing new to sync.${refused}${kept}`
}
