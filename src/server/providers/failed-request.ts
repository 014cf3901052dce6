import { redacted } from './redacted.ts'

/** A failed request as the provider's support finds it. It has no id of a record, no secret and no name. */
export type FailedRequest = {
  method?: string
  path?: string
  status?: number
  /** The provider's own word for the kind of failure. */
  code?: string
  /** The provider's id of the request. */
  id?: string
}

const methods = ['GET', 'POST', 'PATCH']
/** A word of the provider's documents, or the version of its API. */
const plainSegment = /^(?:[a-z][a-z_-]{1,40}|v\d|20\d\d-\d\d)$/
const codeShape = /^(?:[A-Z_]{2,60}|[a-z_]{2,60})$/
const idShape = /^(?=.*\d)[\w-]{6,64}$/

/** Keeps of a request only what cannot be a secret or a person, because the provider's answer may hold anything. */
export function safeRequest({ method, path, status, code, id }: FailedRequest): FailedRequest {
  return {
    ...(method !== undefined && methods.includes(method) && { method }),
    ...(path !== undefined && { path: withoutIds(path) }),
    ...(status !== undefined && status >= 100 && status <= 599 && { status }),
    ...(code !== undefined && codeShape.test(code) && { code }),
    ...(id !== undefined && idShape.test(id) && redacted(id) === id && { id }),
  }
}

function withoutIds(path: string): string {
  const [, ...segments] = (path.split('?', 1)[0] ?? '').split('/')
  return segments.map((segment) => `/${plainSegment.test(segment) ? segment : '{id}'}`).join('')
}
