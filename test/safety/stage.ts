import { readWorld, type SimulatedWorld as StripeWorld } from '#simulators/stripe/world/world.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'
import { run as query } from '../database.ts'
import { newWorld, type Person, type TestWorld, type Visitor } from '../harness.ts'
import { demoKey } from '../import/stage-import.ts'
import { liftBudgets } from '../lift-budgets.ts'
import { enterprise } from '../push/open-bench.ts'
import { fill, type Tenancy } from './fill.ts'
import { findIds } from './ids.ts'

export const identities = [
  'anonymous',
  'forged',
  'expired',
  'homeless',
  'former',
  'outsider',
  'operator',
  'member',
  'admin',
  'owner',
] as const
export type Identity = (typeof identities)[number]

export type SafetyStage = {
  world: TestWorld
  home: Tenancy
  away: Tenancy
  /** The callers: from a stranger to the owner of `home`. */
  visitors: Record<Identity, Visitor> & Record<'operator' | 'homeless' | 'former', Person>
  close(): Promise<void>
}

export const words = { home: 'canaryhome', away: 'canaryaway' }
export const awayKey = 'sk_test_of_the_neighbour'
const awayPortal = 24180009
const operatorEmail = 'ops@tools.example'
const customers = 6
const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000

/** Two organizations side by side, each with its own Stripe account and HubSpot portal, imported and pushed. */
export async function openStage(): Promise<SafetyStage> {
  const world = await newWorld({
    account: accountOf(5, words.home),
    accounts: { [awayKey]: accountOf(6, words.away) },
    crm: {
      portals: [
        { hubId: enterprise, name: 'Home', domain: 'home.example', tier: 'enterprise' },
        { hubId: awayPortal, name: 'Away', domain: 'away.example', tier: 'enterprise' },
      ],
      seedFrom: { companies: [{ name: 'Harbour', domain: 'harbour.example' }], contacts: [] },
    },
    environment: { OPERATOR_EMAILS: operatorEmail },
  })
  // An attack invites more people than the limit allows.
  await liftBudgets(world.ownerUrl)
  const home = await openTenancy(world, { word: words.home, key: demoKey, portal: enterprise })
  const away = await openTenancy(world, { word: words.away, key: awayKey, portal: awayPortal })
  const visitors = await gather(world, home, away)
  return {
    world,
    home,
    away,
    visitors,
    close: world.close,
  }
}

/** A realistic account whose customers and products have the word in their names. */
function accountOf(seed: number, word: string): StripeWorld {
  const { world } = generateWorld({ seed, customers, months: 6, asOf })
  return readWorld({
    ...world,
    customers: world.customers.map((customer, index) => ({
      ...customer,
      name: `${word} ${index}`,
      email: `pay@${word}-${index}.example`,
    })),
    products: world.products.map((product, index) => ({ ...product, name: `${word} Plan ${index}` })),
  })
}

async function openTenancy(
  world: TestWorld,
  { word, key, portal }: Pick<Tenancy, 'word' | 'key' | 'portal'>,
): Promise<Tenancy> {
  const owner = await world.person({ email: `owner@${word}.example`, organization: `${word} Ltd` })
  const unfilled = { owner, word, key, portal }
  await fill(world, unfilled)
  await owner.post('/api/matches/rules', { domain: `${word}.example`, companyRecordId: null })
  return { ...unfilled, ids: await findIds(world.ownerUrl, unfilled) }
}

async function gather(world: TestWorld, home: Tenancy, away: Tenancy): Promise<SafetyStage['visitors']> {
  const join = async (name: string, role: 'admin' | 'member') => {
    const email = `${name}@staff.example`
    await home.owner.post('/api/identity/organization/invite-member', { email, role })
    const person = await world.person({ email, organization: null })
    const { invitations } = await (
      await person.fetch('/api/identity/organization/list-user-invitations')
    ).json()
    await person.post('/api/identity/organization/accept-invitation', { invitationId: invitations[0].id })
    return person
  }
  const former = await join('former', 'admin')
  const [row] = await query<{ id: number }>(world.ownerUrl, 'select id from member where "userId" = $1', [
    former.userId,
  ])
  await home.owner.post('/api/identity/organization/remove-member', { memberId: String(row?.id) })
  const expired = await join('expired', 'admin')
  await query(
    world.ownerUrl,
    `update session set "expiresAt" = now() - interval '1 minute' where "userId" = $1`,
    [expired.userId],
  )
  return {
    anonymous: world.stranger(),
    forged: forge(world, home.owner),
    expired,
    homeless: await world.person({ email: 'alone@hut.example', organization: null }),
    former,
    outsider: away.owner,
    operator: await world.person({ email: operatorEmail, organization: 'Tools' }),
    member: await join('member', 'member'),
    admin: await join('admin', 'admin'),
    owner: home.owner,
  }
}

/** The owner's cookie with a forged signature. */
function forge(world: TestWorld, owner: Person): Visitor {
  const visitor = world.stranger()
  for (const [name, value] of owner.cookies) {
    const [token = ''] = decodeURIComponent(value).split('.')
    const signature = Buffer.alloc(32, 7).toString('base64')
    visitor.cookies.set(name, encodeURIComponent(`${token}.${signature}`))
  }
  return visitor
}
