import { createAuthClient } from 'better-auth/react'
import { fetchAsOwner } from '../client.ts'

/** Of the signed in; any other call answers 401 to a wrong password, which is no ended session. */
const ofTheSignedIn = /\/(update-user|change-password)$/

/** Sign-in and sign-up. Loaded by the screens that need it, never by the entry. */
export const identity = createAuthClient({
  basePath: '/api/identity',
  fetchOptions: {
    customFetchImpl: (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.origin)
      return ofTheSignedIn.test(pathname) ? fetchAsOwner(input, init) : fetch(input, init)
    },
  },
})

/** An answer is in the library's shape, or in the one of our own refusals. */
type Failure = { message?: string | undefined; error?: { message?: string | undefined } }
type Answer<T> = { data: T | null; error: Failure | null }

/** What the server said of a failure, or the fallback. */
export function failureText(error: Failure, fallback: string): string {
  return error.error?.message || error.message || fallback
}

/** The data of an identity call; raises an Error with a text that a person may read. */
export async function dataOf<T>(answer: Promise<Answer<T>>, fallback: string): Promise<T> {
  const { data, error } = await answer
  if (data === null) throw new Error(error === null ? fallback : failureText(error, fallback))
  return data
}
