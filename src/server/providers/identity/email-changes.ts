import { createHash, randomBytes } from 'node:crypto'
import { APIError, type BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, type createAuthMiddleware, sensitiveSessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import { waitInWords } from '../../refusal.ts'
import { hashOfMailbox, spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import { changeAddress } from '../../store/accounts/change-address.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import { recordForPerson } from '../../store/accounts/record-for-person.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import type { Database } from '../../store/postgres/database.ts'
import { readDatabaseTime } from '../../store/postgres/ping-database.ts'
import type { MailPort } from '../mail.ts'
import { alreadyRegisteredMail, emailChangedMail, newAddressMail, oldAddressMail } from './mails.ts'
import { addressHeader, emailChangePath } from './paths.ts'

const validSeconds = 3_600
const tokenBytes = 24
/** The limit of mails for each person who asks, and for each mailbox. */
const mails = { max: 5, windowSeconds: 3_600 }

type EmailChangeOptions = {
  database: Database
  mail: MailPort
  publicUrl: string
  isHosted: boolean
  isRateLimited: boolean
}
type ChangeContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]
/** A change that waits for the holder of the old or of the new address. There is one for each person. */
const openChange = z.object({
  step: z.enum(['old', 'new']),
  tokenHash: z.string(),
  from: z.string(),
  to: z.string(),
})
type OpenChange = z.output<typeof openChange>

/**
 * Replaces the library's own call: it reveals by a missing mail that an address is in use, and changes the address on
 * a GET. Here both links count once, by a button, in a browser of the account.
 */
export function emailChanges(options: EmailChangeOptions) {
  return {
    id: 'email-changes',
    endpoints: {
      // Same name as in the library, whose own call this replaces.
      changeEmail: begin(options),
      lookAtEmailChange: look(options),
      confirmEmailChange: confirm(options),
    },
  } satisfies BetterAuthPlugin
}

function begin(options: EmailChangeOptions) {
  const use = [sensitiveSessionMiddleware]
  const body = z.object({ newEmail: z.string() })
  return createAuthEndpoint(emailChangePath, { method: 'POST', body, use }, async (ctx) => {
    if (options.isHosted) {
      const message = 'Your sign-in provider keeps your email address. Change it there, then sign in again.'
      throw new APIError('BAD_REQUEST', { code: 'CHANGE_EMAIL_DISABLED', message })
    }
    const { id, email: from } = ctx.context.session.user
    const { newEmail: to } = ctx.body
    if (to === from) {
      throw new APIError('BAD_REQUEST', {
        code: 'SAME_EMAIL',
        message: 'This is your email address already.',
      })
    }
    if (options.isRateLimited) await requireBudget(options.database, id, to)
    const link = await openLink(ctx, options, id, { step: 'old', from, to })
    await options.mail.send(oldAddressMail(from, to, link))
    return ctx.json({ sentTo: 'old' })
  })
}

/** Tells what a link would confirm, and leaves it valid. Refuses whatever `confirm` refuses. */
function look({ database }: EmailChangeOptions) {
  const use = [sensitiveSessionMiddleware]
  const body = z.object({ token: z.string() })
  const path = `${emailChangePath}/look`
  return createAuthEndpoint(path, { method: 'POST', body, use }, async (ctx) => {
    const { id } = ctx.context.session.user
    const found = await ctx.context.internalAdapter.findVerificationValue(identifierOf(id))
    const change = changeOfLink(found, ctx.body.token)
    if (!found || !change || found.expiresAt <= (await readDatabaseTime(database))) throw invalidLink()
    const { step, from, to } = change
    return ctx.json({ step, from, to })
  })
}

function confirm(options: EmailChangeOptions) {
  const use = [sensitiveSessionMiddleware]
  const body = z.object({ token: z.string() })
  const path = `${emailChangePath}/confirm`
  return createAuthEndpoint(path, { method: 'POST', body, use }, async (ctx) => {
    const { user, session } = ctx.context.session
    const change = await takeChange(ctx, user.id, ctx.body.token)
    if (change.step === 'new') {
      const ids = { userId: Number(user.id), sessionId: Number(session.id) }
      await finish(options, { ...ids, ...change, address: ctx.headers?.get(addressHeader) ?? null })
      return ctx.json({ sentTo: null, email: change.to })
    }
    const link = await openLink(ctx, options, user.id, { ...change, step: 'new' })
    // The answer is the same whether or not the address has an account; only its mailbox learns it.
    const isFree = (await findUserByEmail(options.database, change.to)) === undefined
    await options.mail.send(
      isFree
        ? newAddressMail(change.to, link)
        : alreadyRegisteredMail(change.to, `${options.publicUrl}/sign-in`),
    )
    return ctx.json({ sentTo: 'new' })
  })
}

async function finish(
  { database, publicUrl }: EmailChangeOptions,
  change: OpenChange & { userId: number; sessionId: number; address: string | null },
): Promise<void> {
  const { userId, from, to, address } = change
  // Stored with the change, so that no crash leaves the old mailbox without a word.
  const tell = (transaction: Database) => addToOutbox(transaction, emailChangedMail(from, to, publicUrl))
  if (!(await changeAddress(database, change, tell))) throw invalidLink()
  await recordForPerson(database, { userId, email: from, address }, 'email_changed')
}

/** Keeps the change under a new link, which replaces every earlier one of the person. */
async function openLink(
  ctx: ChangeContext,
  { database, publicUrl }: EmailChangeOptions,
  userId: string,
  change: Omit<OpenChange, 'tokenHash'>,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const { internalAdapter } = ctx.context
  const now = await readDatabaseTime(database)
  await internalAdapter.deleteVerificationByIdentifier(identifierOf(userId))
  await internalAdapter.createVerificationValue({
    identifier: identifierOf(userId),
    value: JSON.stringify({ ...change, tokenHash: hashOf(token) } satisfies OpenChange),
    expiresAt: new Date(now.getTime() + validSeconds * 1_000),
  })
  return `${publicUrl}/account-profile?${new URLSearchParams({ confirmEmail: token })}`
}

/** The change that the link belongs to, once. Refuses links of others, and old ones. */
async function takeChange(ctx: ChangeContext, userId: string, token: string): Promise<OpenChange> {
  const { internalAdapter } = ctx.context
  const change = changeOfLink(await internalAdapter.findVerificationValue(identifierOf(userId)), token)
  // Of two presses at once, one takes it.
  const taken =
    change && changeOfLink(await internalAdapter.consumeVerificationValue(identifierOf(userId)), token)
  if (taken === null) throw invalidLink()
  return taken
}

/** The waiting change of a person, if it is the one of the link. */
function changeOfLink(found: { value: string } | null, token: string): OpenChange | null {
  const change = found && openChange.parse(JSON.parse(found.value))
  return change?.tokenHash === hashOf(token) ? change : null
}

async function requireBudget(database: Database, userId: string, to: string): Promise<void> {
  for (const key of [`email-change:${userId}`, `mail:${emailChangePath}:${hashOfMailbox(to)}`]) {
    const waitSeconds = await spendAttempt(database, { key, ...mails })
    if (waitSeconds === 0) continue
    const message = `Too many attempts. Try again in ${waitInWords(waitSeconds)}.`
    throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_CHANGES', message })
  }
}

function invalidLink(): APIError {
  return new APIError('BAD_REQUEST', {
    code: 'INVALID_TOKEN',
    message:
      'This link is no longer valid, or it belongs to another account. Start the change of your email again.',
  })
}

function identifierOf(userId: string): string {
  return `change-email:${userId}`
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
