import type { ResponseOf } from '#contract/endpoint.ts'
import type { getPushStatus } from '#contract/sync.ts'

type Ended = Pick<ResponseOf<typeof getPushStatus>, 'status' | 'message' | 'error'>
type ToastText = { title: string; description: string; isError?: boolean }

const failedWords = { title: 'Sync failed', usual: 'An error occurred during the sync process.' }

/** What a toast says of a sync that has ended; `failed` are the words of a screen for one that failed. */
export function endOfPush({ status, message, error }: Ended, failed = failedWords): ToastText {
  if (status === 'completed') return { title: 'Sync Complete', description: message }
  if (status === 'cancelled') return { title: 'Sync Canceled', description: message }
  return { title: failed.title, description: error ?? (message || failed.usual), isError: true }
}
