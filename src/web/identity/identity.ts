import { organizationClient } from 'better-auth/client/plugins'
import { createAuthClient } from 'better-auth/react'

/** Sign-in, sign-up and organizations. Loaded by the screens that need it, never by the entry. */
export const identity = createAuthClient({ basePath: '/api/identity', plugins: [organizationClient()] })

type Answer<T> = { data: T | null; error: { message?: string | undefined } | null }

/** The data of an identity call; raises an Error with a text that a person may read. */
export async function dataOf<T>(answer: Promise<Answer<T>>, fallback: string): Promise<T> {
  const { data, error } = await answer
  if (data === null) throw new Error(error?.message || fallback)
  return data
}
