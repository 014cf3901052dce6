import { getCurrentUser } from '#contract/account.ts'
import { call } from '../client.ts'
import { useComingBack } from './use-coming-back.ts'

/** Notices, while a page waits for the link of a mail to be opened, that another tab has opened it and is signed in. */
export function useConfirmedElsewhere(isWaiting: boolean, onSignedIn: () => Promise<void>): void {
  useComingBack(isWaiting, async () => {
    await call(getCurrentUser, { send: fetch })
    await onSignedIn()
  })
}
