import { serverText } from '../../client.ts'
import type { ActionProblem } from '../../ui/problems/problem-alert.tsx'

/** What stays on the page of a change that failed, after its toast is gone; null while it did not fail. */
export function problemOf(title: string, { error }: { error: Error | null }): ActionProblem | null {
  return error === null ? null : { title, description: serverText(error, 'Please try again.') }
}
