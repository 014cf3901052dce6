import { ApiError } from '../../client.ts'

/** Whether what the server refused was done already, for example in another tab, so that nothing has to be told. */
export async function leadsOn(error: unknown, lookAgain: () => Promise<boolean>): Promise<boolean> {
  if (!(error instanceof ApiError)) return false
  try {
    return await lookAgain()
  } catch {
    // The refusal is what there is to tell.
    return false
  }
}
