import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { done, text } from './fields.ts'

/**
 * The password exactly as it was chosen, with blanks at its ends. It is empty when a hosted provider keeps the
 * password.
 */
const password = z.string().max(200)

export const deleteOrganization = endpoint({
  method: 'POST',
  path: '/api/identity/organization/delete',
  access: 'admin',
  audit: 'in_work',
  summary: 'Deletes the active organization with all that is kept of it; for owners, who type its name.',
  body: z.strictObject({ name: text(200), password }),
  response: done,
})

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/identity/account/delete',
  access: 'user',
  audit: 'in_work',
  summary: "Deletes the caller's own account; the last owner of an organization cannot.",
  body: z.strictObject({ email: text(254), password }),
  response: done,
})
