import { z } from 'zod'
import { canonicalEmail, emailMaxLength } from '../../email-address.ts'
import { plainName } from '../../plain-name.ts'
import { Refusal } from '../../refusal.ts'
import { passwordMaxLength } from './weak-password.ts'

export const nameMaxLength = 100
const addressMaxLength = 2_000
const tokenMaxLength = 200
const codeMaxLength = 40

const email = z
  .string()
  .max(emailMaxLength)
  .transform((given, ctx) => {
    const canonical = canonicalEmail(given)
    if (canonical !== null) return canonical
    ctx.issues.push({ code: 'custom', message: 'is not an email address.', input: given })
    return z.NEVER
  })
const password = z.string().max(passwordMaxLength, `has more than ${passwordMaxLength} characters.`)
const token = z.string().max(tokenMaxLength)
/** Apps show '123 456', and people type what they see. */
const code = z
  .string()
  .trim()
  .min(1, 'must not be empty.')
  .max(codeMaxLength)
  .transform((given) => given.replace(/^(\d{3})[\s-]+(\d{3})$/, '$1$2'))
const address = z.string().max(addressMaxLength)
const callbackURL = address.optional()
const name = z
  .string()
  .max(nameMaxLength, `has more than ${nameMaxLength} characters.`)
  .refine(
    (text) => !text.includes('\u0000') && text.isWellFormed(),
    'contains characters that cannot be kept.',
  )
  .transform(plainName)
  .pipe(z.string().min(1, 'must not be empty.'))

/**
 * The fields of each call to the identity library, which hardly checks them itself. An unknown field is refused,
 * because silently dropping it would change what the call does.
 */
const bodies: Record<string, z.ZodType<Record<string, unknown>>> = {
  '/sign-in/email': z.strictObject({ email, password, callbackURL }),
  '/sign-in/demo': z.strictObject({}),
  '/sign-in/social': z.strictObject({
    provider: z.string().max(nameMaxLength),
    callbackURL,
    errorCallbackURL: callbackURL,
    newUserCallbackURL: callbackURL,
    disableRedirect: z.boolean().optional(),
  }),
  '/sign-up/email': z.strictObject({ name, email, password, callbackURL }),
  '/sign-up/complete': z.strictObject({ token, name: name.optional(), newPassword: password }),
  '/request-password-reset': z.strictObject({ email, redirectTo: callbackURL }),
  '/reset-password': z.strictObject({ token, newPassword: password }),
  // A person who changes the password may do so because somebody else knows the old one, so other sessions end.
  '/change-password': z
    .strictObject({
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: z.boolean().optional(),
    })
    .transform((body) => ({ ...body, revokeOtherSessions: true })),
  '/update-user': z.strictObject({
    name: name.optional(),
    image: address.startsWith('https://', 'is not an https address.').nullable().optional(),
  }),
  '/two-factor/enable': z.strictObject({ password }),
  '/two-factor/verify-totp': z.strictObject({ code }),
  '/two-factor/verify-backup-code': z.strictObject({ code }),
  '/two-factor/generate-backup-codes': z.strictObject({ password, code }),
  '/two-factor/disable': z.strictObject({ password, code }),
  '/change-email': z.strictObject({ newEmail: email, password }),
  '/change-email/look': z.strictObject({ token }),
  '/change-email/confirm': z.strictObject({ token }),
  '/send-verification-email': z.strictObject({ email, callbackURL }),
}

/** The paths of the calls that hash a password. */
export const hashingPaths: readonly string[] = [
  '/sign-in/email',
  '/sign-up/email',
  '/sign-up/complete',
  '/reset-password',
  '/change-password',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
]

/**
 * The checked body of a call: limited in size, typed, with the address in its one spelling. It is checked before
 * it counts, so invalid requests use up no budget.
 */
export function parseBody(path: string, text: string): Record<string, unknown> | null {
  const schema = bodies[path]
  if (schema === undefined) return null
  const parsed = schema.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys')
    throw new Refusal('invalid_request', `${issue.keys.join(', ').slice(0, 100)}: is no field of this call.`)
  const field = issue?.path.map(String).join('.') ?? ''
  throw new Refusal(
    'invalid_request',
    field === '' ? 'The body is not what this call takes.' : `${field}: ${issue?.message}`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
