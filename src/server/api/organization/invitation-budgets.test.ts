import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { fc } from '#test/fast-check.ts'
import { unlinkedName } from '../../work/mail/unlinked-name.ts'

let test: TestApp
let owner: TestBrowser
let rival: TestBrowser
beforeAll(async () => {
  test = await openTestApp()
  owner = await test.signedIn('own@mailer.test', 'Mailer')
  rival = await test.signedIn('own@rival.test', 'Rival')
})
beforeEach(() =>
  run(test.db.ownerUrl, 'delete from attempt_budgets; delete from invitation; delete from outbox'),
)
afterAll(() => test.close())

const path = '/api/identity/organization'
const invite = (by: TestBrowser, email: string) => by.post(`${path}/invite-member`, { email, role: 'member' })
const cancel = (by: TestBrowser, answer: { body: object }) =>
  by.post(`${path}/cancel-invitation`, { invitationId: (answer.body as { id: string }).id })
const query = <Row extends object>(text: string) => run<Row>(test.db.ownerUrl, text)
const mails = async () => (await query<{ n: number }>('select count(*)::int as n from outbox'))[0]?.n
/** Lets the time pass for all budgets whose keys match. */
const pass = (key: string) =>
  query(`update attempt_budgets set resets_at = now() - interval '1 second' where key like '${key}'`)

describe('an invitation', () => {
  it('reaches an address three times a day, whoever sends it and however it is written', async () => {
    for (const [by, email] of [
      [owner, 'v@gmail.com'],
      [rival, 'V+one@gmail.com'],
      [owner, 'v.+two@gmail.com'],
    ] as const) {
      expect((await invite(by, email)).status).toBe(200)
      await pass('invited:%:%')
    }
    const refusal = await invite(rival, 'v+three@gmail.com')
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '86400'])
    expect(refusal.text).toContain('No more invitations go to this address today. Invite it again tomorrow.')
    expect(await mails()).toBe(3)
    expect(await query(`select used from attempt_budgets where key like 'inviter:%' order by used`)).toEqual([
      { used: 1 },
      { used: 2 },
    ])
    await pass('invited:%')
    expect((await invite(rival, 'v@gmail.com')).status).toBe(200)
  })

  it('reaches it three times also where many send at once', async () => {
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => test.signedIn(`p@p${n}.test`, `P${n}`)))
    const answers = await Promise.all(people.map((by) => invite(by, 'w@target.test')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429])
    expect(await mails()).toBe(3)
  })

  it('of one person ends after twenty an hour, also where each is taken back', async () => {
    for (let index = 0; index < 20; index += 1) {
      const answer = await invite(owner, `s${index}@strangers.test`)
      expect((await cancel(owner, answer)).status).toBe(200)
    }
    const refusal = await invite(owner, 'one@more.test')
    expect(refusal.status).toBe(429)
    expect(refusal.text).toMatch(
      /You have sent 20 invitations within an hour\. Wait \d+ minutes, then go on\./,
    )
    expect((await invite(rival, 'one@more.test')).status).toBe(200)
    await pass('inviter:%')
    expect((await invite(owner, 'one@more.test')).status).toBe(200)
  })

  it('of one organization ends after a hundred a day', async () => {
    await invite(owner, 'first@many.test')
    await query(`update attempt_budgets set used = 100 where key ~ '^inviting:\\d+$'`)
    const refusal = await invite(owner, 'second@many.test')
    expect(refusal.text).toContain('Your organization has sent 100 invitations within a day. Wait 24 hours')
    expect((await invite(rival, 'second@many.test')).status).toBe(200)
  })

  it('is sent again after ten minutes, also where it was taken back meanwhile, and at once where its mail was refused', async () => {
    const first = await invite(owner, 'again@renewed.test')
    const refusal = await invite(owner, 'again@renewed.test')
    expect(refusal.status).toBe(429)
    expect(refusal.text).toMatch(
      /An invitation went to this address less than ten minutes ago\. Wait 10 minutes, then invite it again\./,
    )
    await cancel(owner, first)
    expect((await invite(owner, 'again@renewed.test')).status).toBe(429)
    await pass('invited:%:%')
    expect((await invite(owner, 'again@renewed.test')).status).toBe(200)
    await query(`update invitation set "mailFailedAt" = now()`)
    expect((await invite(owner, 'again@renewed.test')).status).toBe(200)
  })
})

describe('the name of an organization in a mail to a stranger', () => {
  it.each([
    ['Acme Inc.', 'Acme Inc'],
    ['O’Hara & Sons', 'O’Hara & Sons'],
    ['Bücher-Ecke 24', 'Bücher-Ecke 24'],
    ['You won 500 EUR, collect at evil.example/now', 'You won 500 EUR collect at evil example now'],
    ['https://evil.example', 'https evil example'],
    ['pay@evil.example', 'pay evil example'],
    ['evil．example／now', 'evil example now'],
    ['evil。example', 'evil example'],
    ['evil\u2024example', 'evil example'],
    ['A\r\nBcc: all@evil.test', 'A Bcc all evil test'],
    ['Call +49 170 1234567 now', 'Call + now'],
    ['\u202egnp.exe', 'gnp exe'],
    ['...', 'an organization'],
  ])('%j is %j', (name, shown) => expect(unlinkedName(name)).toBe(shown))

  it('holds nothing that a mail program makes a link of', async () => {
    const parts = fc.constantFrom(
      'evil',
      'example',
      '.',
      '/',
      ':',
      '@',
      '。',
      '．',
      '｡',
      '․',
      '\\',
      '#',
      '?',
      ' ',
      '5',
      'www',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (chosen) => {
        expect(unlinkedName(chosen.join(''))).toMatch(/^[\p{L}\p{M}\p{N} &'’+-]+$/u)
      }),
    )
    await query(`update organization set name = 'Prize.example/now' where slug = 'mailer'`)
    await invite(owner, 'you@target.test')
    const [mail] = await query<{ subject: string; body: string }>('select subject, body from outbox')
    expect(mail?.subject).toBe('Invitation to Prize example now')
    expect(mail?.body).toContain('the organization “Prize example now” on Tributary')
    expect(mail?.body.replace('you@target.test', '')).not.toMatch(/\w\.\w|\/|@/)
  })
})

it('an invitation that is withdrawn while its mail waits for a server goes to nobody', async () => {
  const member = await test.signedIn('ada@mailer-staff.test', 'Staff')
  const invited = await invite(owner, 'slip@mailer.test')
  await invite(member, 'other@mailer-staff.test')
  await query('update outbox set failed_at = now()')
  expect((await cancel(owner, invited)).status).toBe(200)
  expect(await query('select recipient from outbox')).toEqual([{ recipient: 'other@mailer-staff.test' }])
})

it('whoever sends a mail is known here, with what bounds how many', () => {
  const senders = globSync('src/{server,cli}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /mail\.send\(|addToOutbox\(/.test(readFileSync(file, 'utf8')),
  )
  expect(senders.sort()).toEqual([
    'src/server/api/organization/invitation-mail.ts', // work/organization/invitation-budgets.ts
    'src/server/providers/identity/create-auth.ts', // identity/attempts.ts, as of the next
    'src/server/providers/identity/email-changes.ts', // a budget of its own
    'src/server/providers/identity/hosted-address.ts', // one for each change that the provider vouches for
    'src/server/providers/identity/second-factor-calls.ts',
    'src/server/providers/identity/sign-ups.ts',
    'src/server/store/accounts/outbox.ts', // the door itself, and who carries it out
    'src/server/work/connections/alert-owners.ts', // six a day for an organization
    'src/server/work/mail/carry-mail.ts',
    'src/server/work/mail/tell-owners.ts', // a budget of its own
    // Commands of the operator.
    'src/server/work/organization/make-owner.ts',
    'src/server/work/organization/release-domain.ts',
    'src/server/work/organization/reset-second-factor.ts',
  ])
})
