import { isRecord } from '../world/world.ts'

type Json = Record<string, unknown>

export type ListBody = { readonly body: Json; readonly rows: readonly Json[] }

/** The JSON of an answer, and its rows if it is a list. */
export async function readJson(response: Response): Promise<ListBody> {
  const body: unknown = await response.json()
  if (!isRecord(body)) return { body: {}, rows: [] }
  const { data } = body
  return { body, rows: Array.isArray(data) ? data.filter(isRecord) : [] }
}

/** A false list: empty although more follows, ended too early, or with rows of another kind. */
export function changeList(list: ListBody, kind: 'empty_page' | 'early_end' | 'wrong_kind'): Response {
  const { body, rows } = list
  if (kind === 'early_end') return Response.json({ ...body, has_more: false })
  if (kind === 'empty_page') return Response.json({ ...body, data: [], has_more: true })
  if (body['object'] !== 'list') return Response.json({ ...body, object: 'topup' })
  return Response.json({ ...body, data: rows.map((row) => ({ ...row, object: 'topup' })) })
}

/** The answer with a field overwritten or, without a value, removed; `*` in the path means every entry of a list. */
export async function writeField(
  response: Response,
  { path, value }: { readonly path: string; readonly value: unknown },
): Promise<Response> {
  const body: unknown = await response.json()
  write(body, path.split('.'), value)
  return Response.json(body, { status: response.status })
}

function write(target: unknown, [step, ...rest]: readonly string[], value: unknown): void {
  if (step === undefined || typeof target !== 'object' || target === null) return
  if (step === '*') {
    for (const entry of Object.values(target)) write(entry, rest, value)
    return
  }
  if (rest.length > 0) write(Reflect.get(target, step), rest, value)
  else if (value === undefined) Reflect.deleteProperty(target, step)
  else Reflect.set(target, step, value)
}
