import { z } from 'zod'

/** Every refusal that the server makes, with its HTTP status. */
export const errorStatuses = {
  invalid_request: 400,
  invalid_json: 400,
  unauthenticated: 401,
  needs_organization: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  other_account: 409,
  not_connected: 409,
  not_earned: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  provider_refused: 422,
  rate_limited: 429,
  internal: 500,
  provider_unavailable: 502,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

/** Every answer that is not a success has this shape. */
export const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
