/** A process that matches and pushes on request, with the dependencies and flags of the product's worker. */
import { claimRun } from '#server/store/runs/runs.ts'
import { matchCompanies } from '#server/work/match/match-companies.ts'
import { pushCrm } from '#server/work/push/push-crm.ts'
import { startPush } from '#server/work/push/start-push.ts'
import { buildDeps, connectHubspot } from './bench-deps.ts'

const [, , ownerUrl = '', hubspotUrl = '', organization, user] = process.argv
const organizationId = Number(organization)
const deps = buildDeps(ownerUrl, hubspotUrl)

async function push(): Promise<void> {
  const { runId } = await startPush(deps, organizationId, { retriesFailed: false })
  const claimed = await claimRun(deps.database, organizationId, runId, deps.now())
  if (!claimed) throw new Error('the run is gone')
  await pushCrm(deps, claimed.claim, claimed.run, new AbortController().signal)
}

const works: Record<string, () => Promise<unknown>> = {
  connect: () => connectHubspot(deps, { organizationId, userId: Number(user) }),
  match: () => matchCompanies(deps, organizationId),
  push,
}

process.on('message', (name: string) => {
  const work = works[name]
  const done = () => process.send?.({ peakRssMb: process.resourceUsage().maxRSS / 1_024 })
  const failed = (error: unknown) => process.send?.({ error: String(error) })
  work?.().then(done, failed)
})
process.on('disconnect', () => process.exit(0))
