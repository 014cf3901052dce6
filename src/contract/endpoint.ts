import { z } from 'zod'
import type { AuditAction } from '#domain/audit.ts'

/**
 * Who may call: `public` anyone; `user` signed in; `member` signed in with an active organization; `admin` an owner or
 * admin of it; `operator` an address named in OPERATOR_EMAILS.
 */
export type Access = 'public' | 'user' | 'member' | 'admin' | 'operator'

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** With `{name}` placeholders: '/api/stripe/subscriptions/{id}'. */
  path: string
  access: Access
  summary: string
  params: Params
  query: Query
  body: Body
  response: Response
  /** 'page' answers a redirect or HTML to a browser navigation instead of JSON. */
  answers: 'json' | 'page'
  /** 'bytes' hands over what reads the body as it came, since a signature is over it: nothing is read before it is asked. */
  reads: 'json' | 'bytes'
  /**
   * The line that the activity log gets of a change: an action that the server writes around the call, 'in_work' where
   * the work writes it in its own transaction, 'none' where nothing is changed. Every call but GET names it.
   */
  audit: AuditAction | 'in_work' | 'none' | null
}

export type ResponseOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never

const nothing = z.strictObject({})
/** A POST without content may come with no body or an empty object. */
const noBody = z.strictObject({}).optional()

type Described = Pick<Endpoint, 'method' | 'path' | 'access' | 'summary'>

/** Declares one call. Parts that are not named accept nothing; unknown keys in any part are refused. */
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
    answers?: 'json' | 'page'
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
