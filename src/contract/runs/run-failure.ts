import { z } from 'zod'

/** A request to a provider. Its path has no ids, and nothing in it names a record or a person. */
const failedRequest = z.object({
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.int().optional(),
  /** The provider's own word for the kind of failure. */
  code: z.string().optional(),
  /** The provider's id of the request. */
  id: z.string().optional(),
})

/** Where a run failed. */
export const runFailure = z.object({
  /** Its phase; null before the first one, and where several phases failed. */
  phase: z.string().nullable(),
  /** What the provider refused or did not answer, for its support; null where no request was sent, or several failed. */
  request: failedRequest.nullable(),
})
export type RunFailure = z.output<typeof runFailure>
