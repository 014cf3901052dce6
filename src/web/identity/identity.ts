import { createAuthClient } from 'better-auth/react'
import { fetchAsOwner } from '../client.ts'

/** These calls answer 401 to a wrong password, which does not mean that the session has ended. */
const ofTheSignedIn =
  /\/(update-user|change-password|change-email(\/(look|confirm))?|two-factor\/(enable|disable|generate-backup-codes))$/

/** Sign-in and sign-up. Only the screens that need it load it, so that the entry stays small. */
export const identity = createAuthClient({
  basePath: '/api/identity',
  fetchOptions: {
    customFetchImpl: (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.origin)
      return asAnswer(ofTheSignedIn.test(pathname) ? fetchAsOwner(input, init) : fetch(input, init))
    },
  },
})

/** The library would throw when the network fails. Its callers show the error of an answer, so it becomes one. */
async function asAnswer(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return Response.json({ message: 'The server could not be reached. Please try again.' }, { status: 503 })
  }
}

/** An answer has the library's shape or the shape of our own refusals. */
type Failure = {
  message?: string | undefined
  code?: string | undefined
  error?: { message?: string | undefined }
}
type Answer<T> = { data: T | null; error: Failure | null }

/** Returns the server's message about a failure, or the fallback. */
export function failureText(error: Failure, fallback: string): string {
  return error.error?.message || error.message || fallback
}

/** Whether the server refused a chosen password as too weak. Its text belongs to the field of the password. */
export function isWeakPassword(failure: unknown): boolean {
  return (
    typeof failure === 'object' && failure !== null && 'code' in failure && failure.code === 'WEAK_PASSWORD'
  )
}

/** Returns the data of an identity call; raises an Error with a text that a person may read. */
export async function dataOf<T>(answer: Promise<Answer<T>>, fallback: string): Promise<T> {
  const { data, error } = await answer
  if (data === null)
    throw Object.assign(new Error(error === null ? fallback : failureText(error, fallback)), {
      code: error?.code,
    })
  return data
}
