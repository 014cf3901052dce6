import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { lookAt } from '#test/leaks.ts'

type Received = { to: string; text: string }

let test: TestApp
let server: SMTPServer
let port: number
const received: Received[] = []
/** The server's answer to the next recipients, instead of accepting them. */
let refusal: { responseCode: number } | null = null

function openServer(atPort: number): Promise<SMTPServer> {
  const opened = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) => done(refusal && Object.assign(new Error('no'), refusal)),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        const text = unfold(Buffer.concat(chunks).toString())
        lookAt('mail', to, text)
        received.push({ to, text })
        done()
      })
    },
  })
  opened.on('error', () => {})
  return new Promise((resolve) => opened.listen(atPort, '127.0.0.1', () => resolve(opened)))
}

const closeServer = () => new Promise<void>((done) => server.close(() => done()))

/** The text before quoted-printable encoding broke its lines. */
function unfold(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

beforeAll(async () => {
  server = await openServer(0)
  port = (server.server.address() as AddressInfo).port
  test = await openTestApp({ SMTP_URL: `smtp://127.0.0.1:${port}` })
})
afterEach(() => {
  refusal = null
})
afterAll(async () => {
  await closeServer()
  await test.close()
})

const waiting = () =>
  run<{ recipient: string; attempts: number }>(test.db.ownerUrl, 'select recipient, attempts from outbox')
const makeDue = () => run(test.db.ownerUrl, 'update outbox set next_attempt_at = now()')
const mailTo = (address: string) =>
  expect.poll(() => received.filter(({ to }) => to === address).at(-1)?.text)
const linkIn = (text: string) => /http:\/\/localhost:3000(\S+)/.exec(text)?.[1] ?? ''

async function signUp(email: string) {
  const browser = test.newBrowser()
  const answer = await browser.post('/api/identity/sign-up/email', { name: 'Ada', email, password })
  expect(answer.status).toBe(200)
  return browser
}

describe('mail by SMTP', () => {
  it('verifies, resets and invites', async () => {
    const ada = await signUp('ada@mole.test')
    await mailTo('ada@mole.test').toContain('/api/identity/verify-email?token=')
    await ada.get(linkIn(received.at(-1)?.text ?? ''))
    await ada.post('/api/identity/organization/create', { name: 'Mole', slug: 'mole' })
    await ada.post('/api/identity/organization/invite-member', { email: 'bob@mole.test', role: 'member' })
    await mailTo('bob@mole.test').toMatch(/\/org-selection\?invitationId=[\w-]{32}$/m)
    await ada.post('/api/identity/request-password-reset', { email: 'ada@mole.test', redirectTo: '/sign-in' })
    await mailTo('ada@mole.test').toContain('/api/identity/reset-password/')
    await expect.poll(waiting).toEqual([])
  })

  it('that nobody takes now is taken later, and nobody who asked for it notices', async () => {
    await closeServer()
    try {
      await signUp('cy@mole.test')
      await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1)
    } finally {
      server = await openServer(port)
    }
    await makeDue()
    await test.deps.mail.deliver()
    await mailTo('cy@mole.test').toContain('verify-email')
    await expect.poll(waiting).toEqual([])
  })

  it('that is put off is tried again; that is refused for good is not', async () => {
    refusal = { responseCode: 451 }
    await signUp('dot@mole.test')
    await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1)
    refusal = { responseCode: 550 }
    await makeDue()
    await test.deps.mail.deliver()
    await expect.poll(waiting).toEqual([])
  })

  it('of an invitation says on it that it waits or was refused, until it is sent again', async () => {
    const { organizationId: _, ...owner } = await test.signedIn('pam@state.test', 'State')
    const invite = () =>
      owner.post('/api/identity/organization/invite-member', { email: 'quin@state.test', role: 'member' })
    const mails = async () => {
      const { body } = await owner.get('/api/identity/organization/members')
      return (body as { invitations?: { id: string; mail: string }[] }).invitations ?? []
    }
    const states = async () => (await mails()).map(({ mail }) => mail)
    refusal = { responseCode: 451 }
    const { body: first } = await invite()
    await expect.poll(states).toEqual(['waiting'])
    refusal = { responseCode: 550 }
    await makeDue()
    await test.deps.mail.deliver()
    await expect.poll(states).toEqual(['failed'])
    refusal = null
    expect((await invite()).body).toEqual(first)
    await mailTo('quin@state.test').toContain((await mails())[0]?.id ?? 'none')
    await expect.poll(states).toEqual(['sent'])
    await expect.poll(waiting).toEqual([])
  })

  it('is sent once by two senders', async () => {
    await test.deps.mail.deliver()
    received.length = 0
    await run(
      test.db.ownerUrl,
      `insert into outbox (recipient, subject, body) select 'n' || n || '@mole.test', 's', 'b' from generate_series(1, 20) n`,
    )
    await Promise.all([test.deps.mail.deliver(), test.deps.mail.deliver()])
    expect(received.map(({ to }) => to).sort()).toEqual([...new Set(received.map(({ to }) => to))].sort())
    expect(received.length).toBe(20)
  })

  it('carries no second header in a name', async () => {
    const { organizationId: _, ...owner } = await test.signedIn('nel@crlf.test', 'Crlf')
    await run(
      test.db.ownerUrl,
      `update organization set name = E'A\\r\\nBcc: all@evil.test' where slug = 'crlf'`,
    )
    await owner.post('/api/identity/organization/invite-member', { email: 'oz@crlf.test', role: 'member' })
    await mailTo('oz@crlf.test').toMatch(/Subject: Invitation to A Bcc all evil test/)
    expect(received.map(({ to }) => to)).not.toContain('all@evil.test')
  })
})
