import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { password } from '#test/api/test-app.ts'
import { run as query } from '#test/database.ts'
import { consent, newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { demoKey, generatedWorld } from '#test/import/stage-import.ts'
import { enterprise } from '#test/push/open-bench.ts'

const otherPortal = 24180009
const otherKey = 'sk_test_of_another_account_9999'
const organizationKey = 'sk_org_test_tributary_demo'

let world: TestWorld
let owner: Person
let admin: Person
beforeAll(async () => {
  world = await newWorld({
    accounts: { [otherKey]: generatedWorld(3) },
    crm: {
      portals: [
        { hubId: enterprise, name: 'Home', domain: 'home.example', tier: 'enterprise' },
        { hubId: otherPortal, name: 'Other', domain: 'other.example', tier: 'enterprise' },
      ],
    },
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await world.person()
  admin = await join(owner, 'admin')
})

async function join(inviter: Person, role: 'admin' | 'member'): Promise<Person> {
  const person = await world.person({ organization: null })
  await inviter.post('/api/identity/organization/invite-member', { email: person.email, role })
  const [open] = await query<{ token: string }>(
    world.ownerUrl,
    `select token from invitation where email = $1 and status = 'pending'`,
    [person.email],
  )
  await person.post('/api/identity/organization/accept-invitation', { invitationId: open?.token })
  return person
}

async function memberIdOf(person: Person): Promise<string> {
  const [row] = await query<{ id: number }>(
    world.ownerUrl,
    'select id from member where "userId" = $1 and "organizationId" = $2',
    [person.userId, owner.organizationId],
  )
  return String(row?.id)
}

/** The address to which HubSpot sends an admin's browser after consent. */
async function allowedBy(person: Person): Promise<string> {
  const { authUrl } = await (await person.fetch('/api/hubspot/auth-url?returnTo=data-sync')).json()
  return consent(world.hubspot, authUrl, enterprise)
}

const outcomeOf = async (person: Person, back: string) =>
  (await person.fetch(back)).headers.get('location')?.split('?')[1]

async function isConnected(): Promise<boolean> {
  const { hubspot } = await (await owner.fetch('/api/connection-status')).json()
  return hubspot.dbConnected
}

const states = () =>
  query(world.ownerUrl, 'select user_id from oauth_states where organization_id = $1', [owner.organizationId])

describe('who has begun a consent', () => {
  it('as an admin ends it', async () => {
    expect(await outcomeOf(admin, await allowedBy(admin))).toBe('hubspot=connected')
    expect(await isConnected()).toBe(true)
  })

  const ends: [string, (memberId: string) => Promise<void>][] = [
    [
      'is made a member',
      (memberId) => owner.post('/api/identity/organization/update-member-role', { memberId, role: 'member' }),
    ],
    ['is removed', (memberId) => owner.post('/api/identity/organization/remove-member', { memberId })],
    ['leaves', () => admin.post('/api/identity/organization/leave')],
  ]
  it.each(ends)('and %s is refused, and the consent is used up', async (_, end) => {
    const back = await allowedBy(admin)
    expect(await states()).toHaveLength(1)
    await end(await memberIdOf(admin))
    expect(await states()).toEqual([])
    expect(await outcomeOf(admin, back)).not.toBe('hubspot=connected')
    // The state stays invalid when the person is an admin again.
    await query(
      world.ownerUrl,
      `insert into member ("organizationId", "userId", role, "createdAt") values ($1, $2, 'admin', now())
       on conflict ("organizationId", "userId") do update set role = 'admin'`,
      [owner.organizationId, admin.userId],
    )
    expect(await outcomeOf(admin, back)).not.toBe('hubspot=connected')
    expect(await isConnected()).toBe(false)
  })

  it('and has lost the role behind our back is refused, and the consent is used up', async () => {
    const back = await allowedBy(admin)
    const be = (role: string) =>
      query(world.ownerUrl, 'update member set role = $1 where "userId" = $2', [role, admin.userId])
    await be('member')
    expect(await outcomeOf(admin, back)).toBe('hubspot=failed')
    expect(await states()).toEqual([])
    await be('admin')
    expect(await outcomeOf(admin, back)).not.toBe('hubspot=connected')
    expect(await isConnected()).toBe(false)
  })
})

describe('every owner is told by mail', () => {
  let second: Person
  beforeEach(async () => {
    second = await join(owner, 'admin')
    const memberId = await memberIdOf(second)
    await owner.post('/api/identity/organization/update-member-role', { memberId, role: 'owner' })
    await join(owner, 'member')
    await admin.connectStripe()
    await admin.connectHubspot()
    await query(world.ownerUrl, 'delete from outbox')
  })

  type Sent = { recipient: string; subject: string; body: string; link: string }
  async function mails(): Promise<Sent[]> {
    const sent = await query<Sent>(
      world.ownerUrl,
      'select recipient, subject, body, link from outbox order by recipient',
    )
    expect(sent.map(({ recipient }) => recipient)).toEqual([owner.email, second.email].sort())
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    return sent
  }
  const when = () => world.now().toISOString().slice(0, 16).replace('T', ' ')

  it('that another HubSpot account was connected', async () => {
    await admin.connectHubspot(otherPortal)
    const [sent] = await mails()
    expect(sent).toMatchObject({
      subject: 'Another HubSpot account was connected',
      link: expect.stringMatching(/\/data-sync$/),
    })
    expect(sent?.body).toContain(
      `${admin.email} connected HubSpot account ${otherPortal} in place of account ${enterprise}. Organization: `,
    )
    expect(sent?.body).toContain(`Time: ${when()} UTC.`)
  })

  it('that a key of another Stripe account was connected, and nothing of the key itself', async () => {
    await admin.post('/api/stripe/connect', { apiKey: otherKey, resetData: true })
    const [sent] = await mails()
    expect(sent?.subject).toBe('Another Stripe key was connected')
    expect(sent?.body).toMatch(
      new RegExp(
        `^${admin.email} connected the key sk_test_••••9999 of Stripe account acct_\\w+ \\(test mode\\)`,
      ),
    )
    expect(JSON.stringify(sent)).not.toContain(otherKey)
  })

  it('that the same key of an organization reads another account', async () => {
    const first = world.stripe.world
    const account = first.account?.id
    await admin.post('/api/stripe/connect', { apiKey: organizationKey, account })
    await query(world.ownerUrl, 'delete from outbox')
    await admin.post('/api/stripe/connect', { apiKey: organizationKey, account })
    expect(await query(world.ownerUrl, 'select recipient from outbox')).toEqual([])
    const other = { ...first.account, id: 'acct_1Other', object: 'account' }
    world.stripe.setWorld({ ...first, account: other })
    await admin.post('/api/stripe/connect', { apiKey: organizationKey, account: other.id })
    world.stripe.setWorld(first)
    expect((await mails())[0]?.body).toContain(
      `connected the key sk_org_test_••••demo of Stripe account ${other.id} (test mode) in place of Stripe account ${account} (test mode)`,
    )
  })

  it('that either was disconnected', async () => {
    await admin.post('/api/hubspot/disconnect')
    expect((await mails())[0]).toMatchObject({
      subject: 'HubSpot was disconnected',
      body: expect.stringContaining(`${admin.email} disconnected HubSpot account ${enterprise}.`),
    })
    await query(world.ownerUrl, 'delete from outbox')
    await admin.post('/api/stripe/disconnect')
    expect((await mails())[0]).toMatchObject({
      subject: 'Stripe was disconnected',
      body: expect.stringMatching(new RegExp(`^${admin.email} disconnected Stripe account acct_`)),
    })
  })

  it('also where who did it has deleted their account since', async () => {
    await admin.post('/api/hubspot/disconnect')
    await admin.post('/api/identity/account/delete', { email: admin.email, password })
    expect((await mails())[0]?.body).toMatch(
      /^Somebody whose account is deleted disconnected HubSpot account /,
    )
  })

  it('of nothing when the same account or key is connected once more, or nothing is there to disconnect', async () => {
    await admin.connectHubspot()
    await admin.connectStripe(demoKey)
    expect(await query(world.ownerUrl, 'select recipient from outbox')).toEqual([])
    await admin.post('/api/hubspot/disconnect')
    await query(world.ownerUrl, 'delete from outbox')
    await admin.post('/api/hubspot/disconnect')
    expect(await query(world.ownerUrl, 'select recipient from outbox')).toEqual([])
  })
})
