import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { problemText } from '../../ui/problems/problem-text.ts'
import { useToast } from '../../ui/toast.tsx'

/** Ends the session, and leads to the sign-in. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const toast = useToast()
  return async () => {
    try {
      const { dataOf, identity } = await import('../../identity/identity.ts')
      await dataOf(identity.signOut(), 'Please try again.')
      // First the session: the sign-in sends everybody on who still has one.
      await forgetSession()
      await navigate(paths.signIn)
    } catch (error) {
      const description = problemText(error instanceof Error ? error : new Error(String(error)))
      toast({ title: 'Logout failed', description, isError: true })
    }
  }
}
