import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, origin, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { createApp } from '../../app.ts'
import { createIdentity } from '../../providers/identity/create-identity.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
beforeEach(() => run(test.db.ownerUrl, 'delete from attempt_budgets; delete from outbox'))
afterAll(() => test.close())

const ask = (browser: TestBrowser, newEmail: string, typed = password) =>
  browser.post('/api/identity/change-email', { newEmail, password: typed })
const confirm = (browser: TestBrowser, token: string) =>
  browser.post('/api/identity/change-email/confirm', { token })
const signIn = async (email: string) => {
  const browser = test.newBrowser()
  const { status } = await browser.post('/api/identity/sign-in/email', { email, password })
  return Object.assign(browser, { status })
}
const emailOf = async (browser: TestBrowser) =>
  ((await browser.get('/api/auth/current-user')).body as { email?: string }).email
async function tokenTo(email: string): Promise<string> {
  const { link } = await test.mailTo(email)
  return new URL(link ?? '').searchParams.get('confirmEmail') ?? ''
}
const mails = () =>
  run<{ recipient: string; subject: string }>(
    test.db.ownerUrl,
    'select recipient, subject from outbox order by id',
  ).then((rows) => rows.map(({ recipient, subject }) => `${recipient}: ${subject}`))

/** Asks for the change and confirms it at both addresses. */
async function change(browser: TestBrowser, from: string, to: string) {
  await ask(browser, to)
  await confirm(browser, await tokenTo(from))
  return confirm(browser, await tokenTo(to))
}

describe('a change of email', () => {
  it('needs the old address, then the new one, and is told to the old one and in the activity log', async () => {
    const ann = await test.signedIn('ann@ann-old.test', 'Old')
    expect((await ask(ann, 'Ann@NEW.test')).body).toEqual({ sentTo: 'old' })
    expect(await mails()).toEqual(['ann@ann-old.test: Confirm the change of your email address'])
    expect((await confirm(ann, await tokenTo('ann@ann-old.test'))).body).toEqual({ sentTo: 'new' })
    expect([await emailOf(ann), (await signIn('ann@new.test')).status]).toEqual(['ann@ann-old.test', 401])
    expect((await confirm(ann, await tokenTo('ann@new.test'))).body).toEqual({
      sentTo: null,
      email: 'ann@new.test',
    })
    expect([(await signIn('ann@new.test')).status, (await signIn('ann@ann-old.test')).status]).toEqual([
      200, 401,
    ])
    expect((await mails()).slice(1)).toEqual([
      'ann@new.test: Confirm your new email address',
      'ann@ann-old.test: Your email address was changed',
    ])
    expect(
      await run(
        test.db.ownerUrl,
        `select actor_email from audit_log where organization_id = ${ann.organizationId} and action = 'email_changed'`,
      ),
    ).toEqual([{ actor_email: 'ann@ann-old.test' }])
    expect((await ann.get('/api/auth/current-user')).body).toMatchObject({
      ...{ email: 'ann@new.test', emailAddresses: ['ann@new.test'], emailVerified: true },
      organization: { role: 'owner' },
    })
  })

  it('is not begun without the password, for a stranger, or to the same address', async () => {
    const bob = await test.signedIn('bob@bob-old.test', 'Bobs')
    const answers = [
      await ask(bob, 'bob@new.test', 'not the password'),
      await ask(test.newBrowser(), 'bob@new.test'),
      await ask(bob, 'BOB@bob-old.test'),
      await ask(bob, 'no address'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 401, 400, 400])
    expect(await mails()).toEqual([])
  })

  it('counts its links only in a browser of the account, once, and the newest only', async () => {
    const cat = await test.signedIn('cat@cat-old.test', 'Cats')
    const eve = await test.signedIn('eve@evil.test', 'Evil')
    await ask(cat, 'first@new.test')
    const replaced = await tokenTo('cat@cat-old.test')
    await ask(cat, 'cat@new.test')
    const old = await tokenTo('cat@cat-old.test')
    const refused = [
      await confirm(cat, replaced),
      await confirm(eve, old),
      await confirm(test.newBrowser(), old),
      await confirm(cat, `${old}x`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 401, 400])
    // Programs that scan mails follow links, which changes nothing.
    await cat.get(`/account-profile?confirmEmail=${old}`)
    expect(
      (await Promise.all([confirm(cat, old), confirm(cat, old)])).map(({ status }) => status).sort(),
    ).toEqual([200, 400])
    const fresh = await tokenTo('cat@new.test')
    expect((await confirm(eve, fresh)).status).toBe(400)
    expect((await confirm(cat, fresh)).status).toBe(200)
    expect([(await confirm(cat, fresh)).status, await emailOf(eve)]).toEqual([400, 'eve@evil.test'])
  })

  it('tells nobody whether an address is in use, and takes none over', async () => {
    const dan = await test.signedIn('dan@dan-old.test', 'Dans')
    await test.signedIn('pat@used.test', 'Used')
    const told = []
    for (const wanted of ['pat@used.test', 'pat@free.test']) {
      const asked = await ask(dan, wanted)
      const confirmed = await confirm(dan, await tokenTo('dan@dan-old.test'))
      told.push(
        JSON.stringify([asked.body, asked.status, confirmed.body, confirmed.status]).replaceAll(wanted, '?'),
      )
    }
    expect(told[0]).toBe(told[1])
    expect(await test.mailTo('pat@used.test')).toMatchObject({
      subject: 'You already have an account',
      link: `${origin}/sign-in`,
    })
    // Somebody else takes the address between the two confirmations.
    const token = await tokenTo('pat@free.test')
    await test.signedIn('pat@free.test', 'Free')
    expect([(await confirm(dan, token)).status, await emailOf(dan)]).toEqual([400, 'dan@dan-old.test'])
  })

  it('refuses an address that somebody signs up with at the same moment', async () => {
    const lou = await test.signedIn('lou@lou-old.test', 'Lous')
    await ask(lou, 'raced@new.test')
    await confirm(lou, await tokenTo('lou@lou-old.test'))
    const token = await tokenTo('raced@new.test')
    const other = new pg.Client({ connectionString: test.db.ownerUrl })
    other.on('error', () => {})
    await other.connect()
    try {
      await other.query('begin')
      await other.query(
        `insert into "user" (name, email, "emailVerified") values ('Other', 'raced@new.test', true)`,
      )
      const answer = confirm(lou, token)
      const waiting = () =>
        run<{ n: number }>(
          test.db.ownerUrl,
          `select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query ilike 'update%"user"%'`,
        )
      await expect.poll(waiting).toEqual([{ n: 1 }])
      await other.query('commit')
      expect([(await answer).status, await emailOf(lou)]).toEqual([400, 'lou@lou-old.test'])
    } finally {
      await other.end()
    }
  })

  it('is made only if its notice to the old address is kept', async () => {
    const moe = await test.signedIn('moe@moe-old.test', 'Moes')
    await ask(moe, 'moe@new.test')
    await confirm(moe, await tokenTo('moe@moe-old.test'))
    const token = await tokenTo('moe@new.test')
    await run(test.db.ownerUrl, 'alter table outbox rename to outbox_away')
    try {
      expect((await confirm(moe, token)).status).toBeGreaterThanOrEqual(500)
    } finally {
      await run(test.db.ownerUrl, 'alter table outbox_away rename to outbox')
    }
    expect(await emailOf(moe)).toBe('moe@moe-old.test')
  })

  it('ends other sessions and the links that were mailed to the old address', async () => {
    const fay = await test.signedIn('fay@fay-old.test', 'Fays')
    const elsewhere = await signIn('fay@fay-old.test')
    await fay.post('/api/identity/request-password-reset', {
      email: 'fay@fay-old.test',
      redirectTo: '/sign-in',
    })
    const reset = /reset-password\/([\w-]+)/.exec((await test.mailTo('fay@fay-old.test')).link ?? '')?.[1]
    expect((await change(fay, 'fay@fay-old.test', 'fay@new.test')).status).toBe(200)
    expect([await emailOf(fay), await emailOf(elsewhere)]).toEqual(['fay@new.test', undefined])
    const body = { token: reset, newPassword: 'a wholly other phrase' }
    expect((await test.newBrowser().post('/api/identity/reset-password', body)).status).toBe(400)
    expect((await signIn('fay@new.test')).status).toBe(200)
  })

  it('moves invitations and the rules of domains to the new address', async () => {
    const boss = await test.signedIn('boss@firm.test', 'Firm')
    const gus = await test.signedIn('gus@gus-old.test', 'Guss')
    for (const email of ['gus@gus-old.test', 'gus@firm.test'])
      await boss.post('/api/identity/organization/invite-member', { email, role: 'member' })
    const domain = (emailDomain: string) => gus.post('/api/auth/check-domain-users', { emailDomain })
    expect([(await domain('gus-old.test')).status, (await domain('firm.test')).status]).toEqual([200, 403])
    await change(gus, 'gus@gus-old.test', 'gus@firm.test')
    expect((await domain('gus-old.test')).status).toBe(403)
    expect((await domain('firm.test')).body).toMatchObject({ isFirstUser: false })
    // Of the two invitations, only that to the address that the person now has is theirs.
    expect((await gus.post('/api/auth/check-pending-invitations')).body).toMatchObject({ autoAccepted: true })
    expect(
      await run(
        test.db.ownerUrl,
        `select email from invitation where status = 'pending' and email like 'gus@%'`,
      ),
    ).toEqual([{ email: 'gus@gus-old.test' }])
    const second = { name: 'Second of Firm', slug: 'second-of-firm' }
    expect((await gus.post('/api/identity/organization/create', second)).status).toBe(403)
  })

  it('leaves nothing of the old address when the account is deleted', async () => {
    const hal = await test.signedIn('hal@hal-old.test', 'Hals')
    const joe = await test.signedIn('joe@joes.test', 'Joes')
    await joe.post('/api/identity/organization/invite-member', { email: 'hal@hal-old.test', role: 'member' })
    await change(hal, 'hal@hal-old.test', 'hal@new.test')
    await run(test.db.ownerUrl, `delete from member where "userId" = ${hal.userId}; delete from outbox`)
    const gone = await hal.post('/api/identity/account/delete', { email: 'hal@new.test', password })
    expect(gone.status).toBe(200)
    const left = await run<{ n: number }>(
      test.db.ownerUrl,
      `select count(*)::int as n from audit_log where concat(actor_email, subject) ~ 'hal@'`,
    )
    expect(left).toEqual([{ n: 0 }])
  })
})

it('leaves what others did under an address that they had too, when an account is deleted', async () => {
  const una = await test.signedIn('una@una-new.test', 'Unas')
  const vic = await test.signedIn('vic@vic-new.test', 'Vics')
  await run(
    test.db.ownerUrl,
    `insert into former_addresses (user_id, email)
     values (${una.userId}, 'desk@past.test'), (${vic.userId}, 'desk@past.test');
     insert into audit_log (organization_id, actor_user_id, actor_email, action)
     values (${vic.organizationId}, ${vic.userId}, 'desk@past.test', 'email_changed');
     delete from member where "userId" = ${una.userId}`,
  )
  const gone = await una.post('/api/identity/account/delete', { email: 'una@una-new.test', password })
  expect(gone.status).toBe(200)
  expect(
    await run(
      test.db.ownerUrl,
      `select actor_email from audit_log where actor_user_id = ${vic.userId} and action = 'email_changed'`,
    ),
  ).toEqual([{ actor_email: 'desk@past.test' }])
})

describe('the mails of changes', () => {
  it('are five an hour for a person, and for an address whoever asks', async () => {
    const { config, database, mail, seal, log, now } = test.deps
    const identity = createIdentity({ config, database, mail, seal, log, now })
    const app = test.watch(createApp({ ...test.deps, identity }, { limitCalls: () => {} }))
    const asking = async (browser: TestBrowser, newEmail: string) => {
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const headers = { origin, 'content-type': 'application/json', cookie }
      const body = JSON.stringify({ newEmail, password })
      return (
        await app.fetch(new Request(`${origin}/api/identity/change-email`, { method: 'POST', headers, body }))
      ).status
    }
    const [ida, kai] = [
      await test.signedIn('ida@ida-old.test', 'Idas'),
      await test.signedIn('kai@kai-old.test', 'Kais'),
    ]
    const answers: number[] = []
    for (let index = 0; index < 6; index += 1) answers.push(await asking(ida, `v+${index}@victim.test`))
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
    expect([await asking(kai, 'v@victim.test'), await asking(kai, 'kai@new.test')]).toEqual([429, 200])
    expect((await mails()).length).toBe(6)
  })
})

it('is not there where a hosted provider keeps the address', async () => {
  const hosted = createIdentity({
    ...test.deps,
    config: {
      ...test.deps.config,
      oidc: { issuer: 'https://id.example', clientId: 'c', clientSecret: 's' } as never,
    },
    isRateLimited: false,
  })
  const lea = await test.signedIn('lea@lea-old.test', 'Leas')
  const cookie = [...lea.cookies].map((pair) => pair.join('=')).join('; ')
  const answer = await hosted.handle(
    new Request(`${origin}/api/identity/change-email`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', cookie },
      body: JSON.stringify({ newEmail: 'lea@new.test', password }),
    }),
  )
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('CHANGE_EMAIL_DISABLED'),
  ])
  expect(await mails()).toEqual([])
})
