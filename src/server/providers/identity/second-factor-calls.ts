import type { AuditAction } from '#domain/audit.ts'
import { Refusal } from '../../refusal.ts'
import { recordForPerson } from '../../store/accounts/record-for-person.ts'
import { endOtherSessions } from '../../store/accounts/sessions.ts'
import type { Database } from '../../store/postgres/database.ts'
import type { MailPort } from '../mail.ts'
import { secondFactorMail } from './mails.ts'
import { addressHeader } from './paths.ts'
import { forgiveCodes, verifyPaths } from './second-factor.ts'

/** These take a code in addition to the password, because a password may be known to somebody else. */
const codePaths = ['/two-factor/disable', '/two-factor/generate-backup-codes']
const ofSixDigits = /^\d{6}$/

type Person = { id: string; email: string; twoFactorEnabled?: boolean | null | undefined }

type Options = {
  database: Database
  mail: MailPort
  publicUrl: string
  /** The session that the cookies name, and its person. */
  findSession: (headers: Headers) => Promise<{ session: { id: string }; user: Person } | null>
  /** Whether the password is the one of the signed-in person. */
  isPassword: (headers: Headers, password: string) => Promise<boolean>
  /** Makes a call of the library. */
  call: (request: Request) => Promise<Response>
}

/** Whether the path below /api/identity belongs to the second factor. */
export function isSecondFactor(path: string): boolean {
  return path.startsWith('/two-factor/')
}

/** Answers a call of the second factor: checks the code where one is asked for, and tells the person of each change. */
export async function answerSecondFactor(
  options: Options,
  path: string,
  request: Request,
  body: Record<string, unknown>,
): Promise<Response> {
  const { headers } = request
  const person = (await options.findSession(headers))?.user ?? null
  if (codePaths.includes(path) && person !== null) await requireBoth(options, person, request, body)
  const answer = await options.call(request)
  if (!answer.ok) return answer
  const found = person ?? (await personIn(answer))
  if (found === null) return answer
  await forgiveCodes(options.database, found.id)
  const deed = deedOf(path, person)
  if (deed === null) return answer
  if (deed === 'second_factor_on') await endOthers(options, found, answer)
  await record(options.database, found, deed, headers.get(addressHeader))
  if (deed !== 'signed_in') await options.mail.send(secondFactorMail(found.email, deed, options.publicUrl))
  return answer
}

type Deed = AuditAction & ('signed_in' | Parameters<typeof secondFactorMail>[1])

/** What a successful call changed; `person` is null when it ended a sign-in. */
function deedOf(path: string, person: Person | null): Deed | null {
  switch (path) {
    case verifyPaths.app:
      if (person === null) return 'signed_in'
      return person.twoFactorEnabled ? null : 'second_factor_on'
    case verifyPaths.recovery:
      return 'recovery_code_used'
    case '/two-factor/disable':
      return 'second_factor_off'
    case '/two-factor/generate-backup-codes':
      return 'recovery_codes_renewed'
    default:
      return null
  }
}

/** Asks for the password first: a wrong one must not spend the code. */
async function requireBoth(
  options: Options,
  person: Person,
  request: Request,
  body: Record<string, unknown>,
): Promise<void> {
  const { headers } = request
  if (!person.twoFactorEnabled)
    throw new Refusal('invalid_request', 'Two-factor authentication is off. Turn it on first.')
  if (!(await options.isPassword(headers, String(body['password']))))
    throw new Refusal('invalid_request', 'The password is incorrect. Enter it again.')
  const code = String(body['code'])
  await requireCode(options, request, code)
  if (ofSixDigits.test(code)) return
  await record(options.database, person, 'recovery_code_used', headers.get(addressHeader))
}

/** Sessions that began by the password alone end. The answer gave the person's own session a new cookie. */
async function endOthers(
  { database, findSession }: Options,
  person: Person,
  answer: Response,
): Promise<void> {
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const kept = await findSession(new Headers({ cookie }))
  if (kept !== null) await endOtherSessions(database, Number(person.id), Number(kept.session.id))
}

async function requireCode({ call }: Options, request: Request, code: string): Promise<void> {
  const path = ofSixDigits.test(code) ? verifyPaths.app : verifyPaths.recovery
  const { pathname } = new URL(request.url)
  const url = new URL(request.url)
  url.pathname = `${pathname.slice(0, pathname.indexOf('/two-factor/'))}${path}`
  const answer = await call(
    new Request(url, { method: 'POST', headers: request.headers, body: JSON.stringify({ code }) }),
  )
  if (answer.ok) return
  const { code: reason, message } = (await answer.json()) as { code?: string; message?: string }
  if (answer.status === 429) throw new Refusal('rate_limited', message ?? 'Try again later.')
  throw new Refusal(
    'invalid_request',
    reason === 'CODE_USED'
      ? 'This code was tried already. Wait for the next one.'
      : 'The code is incorrect. Enter the one that your app shows now.',
  )
}

/** The library repeats the person in the answer that ends a sign-in. */
async function personIn(answer: Response): Promise<Person | null> {
  const told = (await answer.clone().json()) as { user?: Person } | null
  return told?.user ?? null
}

async function record(
  database: Database,
  person: Person,
  action: Deed,
  address: string | null,
): Promise<void> {
  await recordForPerson(database, { userId: Number(person.id), email: person.email, address }, action)
}
