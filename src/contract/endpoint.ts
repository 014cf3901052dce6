import { z } from 'zod'
import type { AuditAction } from '#domain/audit.ts'

/**
 * Says who may call: `public` anyone; `user` a signed-in person; `member` a person with an active organization;
 * `admin` its owners and admins; `operator` an address that OPERATOR_EMAILS names.
 */
export type Access = 'public' | 'user' | 'member' | 'admin' | 'operator'

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** The path with `{name}` placeholders: '/api/stripe/subscriptions/{id}'. */
  path: string
  access: Access
  summary: string
  params: Params
  query: Query
  body: Body
  response: Response
  /** 'page' sends a browser on, and 'file' is saved by it. */
  answers: 'json' | 'page' | 'file'
  /** 'bytes' gives the handler the body unread, because a signature covers its exact bytes. */
  reads: 'json' | 'bytes'
  /**
   * The line that the activity log gets: an action that the server records around the call, 'in_work' when the work
   * records it in its own transaction, or 'none' when nothing changes. Every call but GET states it.
   */
  audit: AuditAction | 'in_work' | 'none' | null
}

export type ResponseOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never

const nothing = z.strictObject({})
/** A POST without content may come with no body or an empty object. */
const noBody = z.strictObject({}).optional()

type Described = Pick<Endpoint, 'method' | 'path' | 'access' | 'summary'>

/** Declares one call. A part that is left out accepts nothing, and every part refuses unknown keys. */
export function endpoint<
  Response extends z.ZodType,
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof noBody,
>(
  described: Described & {
    response: Response
    params?: Params
    query?: Query
    body?: Body
    answers?: Endpoint['answers']
    reads?: 'json' | 'bytes'
    audit?: Endpoint['audit']
  },
): Endpoint<Params, Query, Body, Response> {
  return {
    ...described,
    params: (described.params ?? nothing) as Params,
    query: (described.query ?? nothing) as Query,
    body: (described.body ?? noBody) as Body,
    answers: described.answers ?? 'json',
    reads: described.reads ?? 'json',
    audit: described.audit ?? null,
  }
}
