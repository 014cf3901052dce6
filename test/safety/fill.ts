import { inOrganization } from '#server/store/postgres/database.ts'
import { recountTotals } from '#server/store/totals/list-totals.ts'
import { startRecount } from '#server/work/ledger/start-recount.ts'
import { run as query } from '../database.ts'
import type { Person, TestWorld } from '../harness.ts'
import { findIds, type Ids } from './ids.ts'

/** An organization with all kinds of data, in which every name contains a unique word. */
export type Tenancy = { owner: Person; word: string; ids: Ids; key: string; portal: number }
export type Unfilled = Omit<Tenancy, 'ids'>

let guests = 0

/** Connects missing providers, imports, pushes, invites and sets a signing secret, so that every kind of id exists. */
export async function fill(world: TestWorld, { owner, word, key, portal }: Unfilled): Promise<void> {
  await world.drain()
  const { stripeConnected, hubspotConnected } = await (await owner.fetch('/api/setup/progress')).json()
  if (!stripeConnected) await owner.connectStripe(key)
  if (!hubspotConnected) await owner.connectHubspot(portal)
  for (const path of ['/api/import/historical', '/api/sync/push-all']) {
    await owner.post(path)
    await world.drain()
  }
  await recountFrom(world, owner)
  await eraseOne(world, owner)
  await decideOnce(world, owner)
  guests += 1
  await owner.post('/api/identity/organization/invite-member', {
    email: `guest-${guests}@${word}.example`,
    role: 'member',
  })
  await setSigningSecret({ owner, word })
}

/** Erases the last customer, unless someone was erased before. */
async function eraseOne(world: TestWorld, owner: Person): Promise<void> {
  const [row] = await query<{ id: string | null }>(
    world.ownerUrl,
    `select max(id) as id from customers where organization_id = $1
        and not exists (select from erasures where organization_id = $1)`,
    [owner.organizationId],
  )
  if (row?.id != null) await owner.post('/api/erasures', { customerId: row.id })
}

/** Decides about the last customer that is left, so that there is something to undo. */
async function decideOnce(world: TestWorld, owner: Person): Promise<void> {
  const [row] = await query<{ customer: string; company: string | null }>(
    world.ownerUrl,
    `select max(m.customer_id) as customer, (select min(record_id) from crm_companies where organization_id = $1) as company
       from matches m join customers c on c.organization_id = m.organization_id and c.id = m.customer_id
      where m.organization_id = $1`,
    [owner.organizationId],
  )
  const choice = { companyRecordId: row?.company ?? '', alwaysForDomain: false }
  if (row?.company) await owner.post(`/api/matches/${row.customer}/link`, choice)
}

/** Makes the ledger look as if older rules had counted it, so that a report lists a recount's changes. */
async function recountFrom(world: TestWorld, { organizationId }: Person): Promise<void> {
  await query(
    world.ownerUrl,
    `update subscriptions set current_mrr_cents = current_mrr_cents + 100
      where organization_id = $1 and current_mrr_cents > 0`,
    [organizationId],
  )
  await inOrganization(world.deps.database, organizationId, recountTotals)
  await query(world.ownerUrl, 'update payment_mirrors set rule_book_version = 0 where organization_id = $1', [
    organizationId,
  ])
  await startRecount(world.deps, organizationId)
  await world.drain()
}

/** Sets `whsec_of_<word>` as the organization's signing secret. */
export async function setSigningSecret({ owner, word }: Pick<Tenancy, 'owner' | 'word'>): Promise<void> {
  const answer = await owner.fetch('/api/stripe/webhook', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signingSecret: `whsec_of_${word}` }),
  })
  if (!answer.ok) throw new Error(`The signing secret: ${answer.status} ${await answer.text()}`)
}

/** Signs a person in again after their session ended. */
export async function letIn(person: Person): Promise<void> {
  if ((await person.fetch('/api/identity/organization/list')).status === 200) return
  person.cookies.clear()
  await person.signIn()
}

/** Restores what owners removed from themselves, so that further attacks are not simply refused. */
export async function restore(world: TestWorld, tenancy: Tenancy): Promise<void> {
  const { owner } = tenancy
  const { userId, organizationId } = owner
  await query(
    world.ownerUrl,
    `insert into member ("organizationId", "userId", role, "createdAt") values ($1, $2, 'owner', now())
     on conflict ("organizationId", "userId") do update set role = 'owner'`,
    [organizationId, userId],
  )
  const look = () => owner.fetch('/api/auth/current-user')
  let answer = await look()
  if (answer.status !== 200) {
    await letIn(owner)
    answer = await look()
  }
  const { organization } = await answer.json()
  if (organization?.id !== organizationId) {
    await owner.post('/api/identity/organization/set-active', { organizationId: String(organizationId) })
  }
  const ids = await findIds(world.ownerUrl, tenancy).catch(() => null)
  const payments = `select 1 from connections where organization_id = $1 and provider = 'payments'`
  const isConnected = (await query(world.ownerUrl, payments, [organizationId])).length > 0
  if (ids === null || !isConnected) await fill(world, tenancy)
  tenancy.ids = ids ?? (await findIds(world.ownerUrl, tenancy))
}
