import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { auditActions } from '#domain/audit.ts'
import { openTestApp, origin, password, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { createApp } from '../../app.ts'

type Insider = Awaited<ReturnType<TestApp['signedIn']>>
type Line = {
  id: string
  actor: string | null
  action: string
  subject: string | null
  outcome: string
  address: string | null
}

let test: TestApp
let owner: Insider
beforeAll(async () => {
  test = await openTestApp({ OPERATOR_EMAILS: 'ops@desk.test' })
  owner = await test.signedIn('own@log.test', 'Log')
})
afterAll(() => test.close())

async function linesOf(browser: Insider, query = ''): Promise<{ lines: Line[]; totalCount: number }> {
  const answer = await browser.get(`/api/audit/activity${query}`)
  expect(answer.status).toBe(200)
  return answer.body as never
}
const newest = async () => (await linesOf(owner)).lines[0]

describe('the activity log', () => {
  it('names every call that changes something', () => {
    const unnamed = Object.entries(api).filter(([, { method, audit }]) => method !== 'GET' && audit === null)
    expect(unnamed.map(([name]) => name)).toEqual([])
    const reads = Object.entries(api).filter(([, { method, audit }]) => method === 'GET' && audit !== null)
    expect(reads.map(([name]) => name)).toEqual([])
  })

  it('is written around a call only where the call has an organization', () => {
    const homeless = Object.values(api).filter(
      ({ access, audit }) =>
        audit !== null && Object.hasOwn(auditActions, audit) && access !== 'member' && access !== 'admin',
    )
    expect(homeless.map(({ path }) => path)).toEqual([])
  })

  it('tells the making of the organization, sign-ins and changes, with who and from where', async () => {
    const app = createApp(test.deps)
    const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ')
    await app.fetch(
      new Request(`${origin}/api/settings/sync`, {
        method: 'PUT',
        headers: { origin, cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ syncSettings: { autoCreateContacts: false } }),
      }),
      { incoming: { socket: { remoteAddress: '192.0.2.44' } } },
    )
    expect(await newest()).toMatchObject({
      actor: 'own@log.test',
      action: 'settings_changed',
      outcome: 'done',
      address: '192.0.2.44',
    })
    const actions = (await linesOf(owner)).lines.map(({ action }) => action)
    expect(actions).toEqual(['settings_changed', 'signed_in', 'organization_created'])
  })

  it('tells of what did not come about that it failed, and of what was refused as nonsense nothing', async () => {
    expect((await owner.patch('/api/setup/progress', { setupComplete: true })).status).toBe(409)
    expect(await newest()).toMatchObject({ action: 'setup_changed', outcome: 'failed' })
    const before = (await newest())?.id
    await owner.put('/api/settings/sync', { nonsense: true })
    expect((await newest())?.id).toBe(before)
  })

  it('tells of invitations, joining, roles and leaving', async () => {
    await owner.post('/api/identity/organization/invite-member', {
      email: 'Pat@Mail.Log.test',
      role: 'member',
    })
    expect(await newest()).toMatchObject({ action: 'member_invited', subject: 'pat@mail.log.test (member)' })
    const guest = test.newBrowser()
    await guest.post('/api/identity/sign-up/email', { name: 'Pat', email: 'pat@mail.log.test', password })
    await guest.get(String((await test.mailTo('pat@mail.log.test')).link))
    await guest.post('/api/auth/check-pending-invitations')
    expect(await newest()).toMatchObject({ action: 'invitation_accepted', actor: 'pat@mail.log.test' })
    expect((await guest.get('/api/audit/activity')).status).toBe(403)
    expect((await guest.get('/api/audit/export')).status).toBe(403)
    await guest.post('/api/identity/organization/leave')
    expect(await newest()).toMatchObject({ action: 'member_left', subject: 'pat@mail.log.test' })
  })

  it('has no line of a change that came to nothing in the same transaction', async () => {
    const before = (await newest())?.id
    await run(
      test.db.ownerUrl,
      `alter table invitation add constraint unlucky check (email <> 'un@lucky.test')`,
    )
    const failed = await owner.post('/api/identity/organization/invite-member', {
      email: 'un@lucky.test',
      role: 'member',
    })
    await run(test.db.ownerUrl, 'alter table invitation drop constraint unlucky')
    expect(failed.status).toBe(500)
    expect((await newest())?.id).toBe(before)
  })

  it('shows the organization that an operator looked at its data', async () => {
    const operator = await test.signedIn('ops@desk.test', 'Desk')
    await operator.get(`/api/operator/subscription-data/${owner.userId}`)
    expect(await newest()).toMatchObject({ action: 'operator_read', actor: 'ops@desk.test' })
    expect((await linesOf(operator)).lines.map(({ action }) => action)).not.toContain('operator_read')
  })

  it('goes on page by page without gap or repetition', async () => {
    const { lines, totalCount } = await linesOf(owner, '?limit=100')
    const all = lines.map(({ id }) => id)
    expect(totalCount).toBe(all.length)
    const seen: string[] = []
    for (let page = 1; seen.length < totalCount; page++)
      seen.push(...(await linesOf(owner, `?limit=3&page=${page}`)).lines.map(({ id }) => id))
    expect(seen).toEqual(all)
    expect(await linesOf(owner, '?limit=3&page=1000')).toEqual({ lines: [], totalCount })
  })

  it('is exported as a table that calculates nothing', async () => {
    await run(
      test.db.ownerUrl,
      `begin; select set_config('app.organization_id', '${owner.organizationId}', true);
       insert into audit_log (organization_id, action, subject) values (${owner.organizationId}, 'member_invited', '=1+1'); commit`,
    )
    const answer = await owner.get('/api/audit/export')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="activity.csv"')
    const [head, first] = answer.text.split('\r\n')
    expect(head).toBe('"Time (UTC)","Who","What","Concerning","Address","Outcome"')
    expect(first).toContain(`,"Invited","'=1+1",`)
  })

  it('is exported to its last line', async () => {
    const busy = await test.signedIn('own@busy.test', 'Busy')
    await run(
      test.db.ownerUrl,
      `begin; select set_config('app.organization_id', '${busy.organizationId}', true);
       insert into audit_log (organization_id, action, subject)
       select ${busy.organizationId}, 'member_invited', n || ' of many' from generate_series(1, 52000) n; commit`,
    )
    const { text } = await busy.get('/api/audit/export')
    const lines = text.trimEnd().split('\r\n').slice(1)
    const invited = lines.filter((line) => line.includes(' of many"'))
    expect([lines.length, new Set(invited.map((line) => line.split(',')[3])).size]).toEqual([52_002, 52_000])
    expect(lines.slice(-2).map((line) => line.split(',')[2])).toEqual([
      '"Signed in"',
      '"Created the organization"',
    ])
  })
})

describe('the filters of the activity', () => {
  let boss: Insider
  let own: (query: string) => Promise<string[]>
  beforeAll(async () => {
    boss = await test.signedIn('boss@filter.test', 'Filter')
    await run(
      test.db.ownerUrl,
      `begin; select set_config('app.organization_id', '${boss.organizationId}', true);
       delete from audit_log where organization_id = ${boss.organizationId};
       insert into audit_log (organization_id, happened_at, actor_user_id, actor_email, action, subject) values
       (${boss.organizationId}, '2026-06-01T00:00:00Z', ${boss.userId}, 'old@filter.test', 'stripe_connected', 'a'),
       (${boss.organizationId}, '2026-06-30T23:59:59.9Z', ${boss.userId}, 'boss@filter.test', 'push_started', 'b'),
       (${boss.organizationId}, '2026-07-01T00:00:00Z', 999999, 'pat@filter.test', 'stripe_connected', 'c'),
       (${boss.organizationId}, '2026-07-02T00:00:00Z', null, 'a deleted account', 'stripe_disconnected', 'd'),
       (${boss.organizationId}, '2026-07-03T00:00:00Z', null, null, 'domain_released', 'e'); commit`,
    )
    own = async (query) => {
      const { lines, totalCount } = await linesOf(boss, `?${query}`)
      expect(totalCount).toBe(lines.length)
      return lines.map(({ subject }) => subject ?? '')
    }
  })

  it.each([
    ['', 'edcba'],
    ['personId=999999', 'c'],
    ['personId=nobody', 'e'],
    ['personId=deleted', 'd'],
    ['action=stripe_connected', 'ca'],
    ['action=stripe_connected,stripe_disconnected', 'dca'],
    ['action=no_such_action', ''],
    ['from=2026-07-01', 'edc'],
    ['to=2026-06-30', 'ba'],
    ['from=2026-06-30&to=2026-07-01', 'cb'],
    ['from=2026-07-02&to=2026-07-01', ''],
    ['action=stripe_connected&to=2026-06-30', 'a'],
  ])('%s leaves %s, on the screen and in the file', async (query, subjects) => {
    expect((await own(query)).join('')).toBe(subjects)
    const { text } = await boss.get(`/api/audit/export?${query}`)
    const lines = text.trimEnd().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',')[3]?.replaceAll('"', '')).join('')).toBe(subjects)
  })

  it('keep what a person did together, whatever address they had then', async () => {
    expect((await own(`personId=${boss.userId}`)).join('')).toBe('ba')
  })

  it('count all pages', async () => {
    const { lines, totalCount } = await linesOf(boss, '?action=stripe_connected&limit=1&page=2')
    expect([lines.map(({ subject }) => subject), totalCount]).toEqual([['a'], 2])
  })

  it('offer who and what the log has, each once', async () => {
    expect((await boss.get('/api/audit/options')).body).toEqual({
      people: [
        { personId: String(boss.userId), address: 'boss@filter.test' },
        { personId: '999999', address: 'pat@filter.test' },
      ],
      hasDeleted: true,
      hasNobody: true,
      actions: [
        { action: 'stripe_connected', description: 'Connected Stripe' },
        { action: 'stripe_disconnected', description: 'Disconnected Stripe' },
        { action: 'push_started', description: 'Started a sync to HubSpot' },
        { action: 'domain_released', description: 'The operator released the domain' },
      ],
    })
  })

  it.each(['personId=0', 'personId=ann', 'from=june', 'to=2026-02-30'])('refuse %s', async (query) => {
    expect((await boss.get(`/api/audit/activity?${query}`)).status).toBe(400)
    expect((await boss.get(`/api/audit/export?${query}`)).status).toBe(400)
  })
})
