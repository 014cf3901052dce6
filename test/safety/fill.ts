import { startRecount } from '#server/work/ledger/start-recount.ts'
import { run as query } from '../database.ts'
import type { Person, TestWorld } from '../harness.ts'
import { findIds, type Ids } from './ids.ts'

/** An organization with everything in it, whose every name holds a word that stands nowhere else. */
export type Tenancy = { owner: Person; word: string; ids: Ids; key: string; portal: number }
export type Unfilled = Omit<Tenancy, 'ids'>

let guests = 0

/** Connects what is not connected, imports, pushes, invites and sets a signing secret, so that every kind of id is there. */
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
  guests += 1
  await owner.post('/api/identity/organization/invite-member', {
    email: `guest-${guests}@${word}.example`,
    role: 'member',
  })
  await setSigningSecret({ owner, word })
}

/** Erases the last customer, unless somebody was erased before. */
async function eraseOne(world: TestWorld, owner: Person): Promise<void> {
  const [row] = await query<{ id: string | null }>(
    world.ownerUrl,
    `select max(id) as id from customers where organization_id = $1
        and not exists (select from erasures where organization_id = $1)`,
    [owner.organizationId],
  )
  if (row?.id != null) await owner.post('/api/erasures', { customerId: row.id })
}

/** Lets the ledger look as if older rules had counted it, so that a report tells what a recount changed. */
async function recountFrom(world: TestWorld, { organizationId }: Person): Promise<void> {
  await query(
    world.ownerUrl,
    `update subscriptions set current_mrr_cents = current_mrr_cents + 100
      where organization_id = $1 and current_mrr_cents > 0`,
    [organizationId],
  )
  await query(world.ownerUrl, 'update payment_mirrors set rule_book_version = 0 where organization_id = $1', [
    organizationId,
  ])
  await startRecount(world.deps, organizationId)
  await world.drain()
}

/** Lets the organization's deliveries be signed with `whsec_of_<word>`. */
export async function setSigningSecret({ owner, word }: Pick<Tenancy, 'owner' | 'word'>): Promise<void> {
  const answer = await owner.fetch('/api/stripe/webhook', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signingSecret: `whsec_of_${word}` }),
  })
  if (!answer.ok) throw new Error(`The signing secret: ${answer.status} ${await answer.text()}`)
}

/** Signs somebody in again whose session has ended. */
export async function letIn(person: Person): Promise<void> {
  if ((await person.fetch('/api/identity/organization/list')).status === 200) return
  person.cookies.clear()
  await person.signIn()
}

/** Gives the owner back what they took from themselves, so that an attack does not end at closed doors. */
export async function restore(world: TestWorld, tenancy: Tenancy): Promise<void> {
  const { owner } = tenancy
  const { userId, organizationId } = owner
  await query(
    world.ownerUrl,
    `insert into member ("organizationId", "userId", role, "createdAt") values ($1, $2, 'owner', now())
     on conflict ("organizationId", "userId") do update set role = 'owner'`,
    [organizationId, userId],
  )
  await letIn(owner)
  const { organization } = await (await owner.fetch('/api/auth/current-user')).json()
  if (organization?.id !== organizationId) {
    await owner.post('/api/identity/organization/set-active', { organizationId: String(organizationId) })
  }
  const { stripeConnected, hubspotConnected } = await (await owner.fetch('/api/setup/progress')).json()
  const ids = await findIds(world.ownerUrl, tenancy).catch(() => null)
  if (ids === null || !stripeConnected || !hubspotConnected) await fill(world, tenancy)
  tenancy.ids = ids ?? (await findIds(world.ownerUrl, tenancy))
}
