import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { enterprise } from '#test/push/open-bench.ts'

let world: TestWorld
let owner: Person
let admin: Person
let member: Person
beforeAll(async () => {
  world = await newWorld({
    crm: { portals: [{ hubId: enterprise, name: 'Home', domain: 'home.example', tier: 'enterprise' }] },
  })
  owner = await world.person()
  admin = await join('admin')
  member = await join('member')
  await owner.connectHubspot(enterprise)
})
afterAll(() => world.close())

async function join(role: 'admin' | 'member'): Promise<Person> {
  const person = await world.person({ organization: null })
  await owner.post('/api/identity/organization/invite-member', { email: person.email, role })
  const text = `select token from invitation where email = $1 and status = 'pending'`
  const [open] = await query<{ token: string }>(world.ownerUrl, text, [person.email])
  await person.post('/api/identity/organization/accept-invitation', { invitationId: open?.token })
  return person
}

const path = '/api/hubspot/objects/amounts'
const portalId = String(enterprise)
const confirmed = { portalId, isConfirmed: true }

async function read(person: Person): Promise<(string | null)[]> {
  const { objects } = await (await person.fetch(path)).json()
  return objects.flatMap(({ amounts }: { amounts: { boundTo: string | null }[] }) =>
    amounts.map(({ boundTo }) => boundTo),
  )
}
const ask = (person: Person, body: object) =>
  person.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const lines = () =>
  query(
    world.ownerUrl,
    `select subject, outcome from audit_log where organization_id = $1 and action = 'hubspot_amounts_bound' order by id`,
    [owner.organizationId],
  )

it('amounts in their own currency are asked about first, by owners and admins', async () => {
  const plain = [null, null, null, null]
  expect([await read(member), await read(admin)]).toEqual([plain, plain])
  expect((await ask(member, confirmed)).status).toBe(403)
  for (const body of [{}, { portalId }, { portalId, isConfirmed: false }, { isConfirmed: true }])
    expect((await ask(owner, body)).status).toBe(400)
  expect([await read(owner), await lines()]).toEqual([plain, []])

  expect((await ask(owner, { ...confirmed, portalId: '24180009' })).status).toBe(409)
  expect(await read(owner)).toEqual(plain)
  const answer = await ask(admin, confirmed)
  expect([answer.status, (await answer.json()).problem]).toEqual([200, null])
  expect((await ask(owner, confirmed)).status).toBe(200)
  expect(await read(member)).toEqual(plain.map(() => 'currency_code'))
  expect(await lines()).toEqual([
    { subject: '24180009', outcome: 'failed' },
    { subject: portalId, outcome: 'done' },
    { subject: portalId, outcome: 'done' },
  ])
})
