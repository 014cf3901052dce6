import { useMutation } from '@tanstack/react-query'
import { openOrganization } from '#contract/organization.ts'
import { call } from '../client.ts'
import { useForgetSession } from './session.ts'

/** Makes another organization of the person the active one. Nothing of the last one stays on the page. */
export function useOpenOrganization(tell: { onOpened: () => unknown; onFailed: (error: Error) => void }) {
  const forgetSession = useForgetSession()
  return useMutation({
    mutationFn: (organizationId: string) => call(openOrganization, { body: { organizationId } }),
    onSuccess: async () => {
      await forgetSession()
      await tell.onOpened()
    },
    onError: tell.onFailed,
  })
}
