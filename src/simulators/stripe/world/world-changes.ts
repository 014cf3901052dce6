import { isRecord, readWorld, type SimulatedWorld, WorldError } from './world.ts'

/** Objects to add to lists of a world (an equal id is replaced), and ids to remove. */
export type WorldChange = {
  readonly put: Readonly<Record<string, readonly { readonly id: string }[]>>
  readonly remove: Readonly<Record<string, readonly string[]>>
}

/** Reads a change such as `{"put": {"invoices": [{…}]}, "remove": {"customers": ["cus_x"]}}`. Throws WorldError. */
export function readWorldChange(json: unknown): WorldChange {
  if (!isRecord(json)) throw new WorldError('change', 'must be a JSON object')
  const put: Record<string, { id: string }[]> = {}
  for (const [list, rows] of listsIn(json, 'put'))
    put[list] = rows.map((row) => {
      if (isRecord(row) && typeof row['id'] === 'string') return { ...row, id: row['id'] }
      throw new WorldError(`put.${list}`, 'must be a list of objects with an id')
    })
  const remove: Record<string, string[]> = {}
  for (const [list, ids] of listsIn(json, 'remove')) remove[list] = ids.map(String)
  return { put, remove }
}

/** The world after a change; the old one stays unchanged. Throws WorldError if the result is not a valid world. */
export function changeWorld(world: SimulatedWorld, change: WorldChange): SimulatedWorld {
  const next: Record<string, unknown> = { ...world }
  for (const list of new Set([...Object.keys(change.put), ...Object.keys(change.remove)])) {
    const before: unknown = next[list] ?? []
    if (!Array.isArray(before)) throw new WorldError(list, 'is no list of a world')
    const put = change.put[list] ?? []
    const replaced = new Set([...put.map(({ id }) => id), ...(change.remove[list] ?? [])])
    next[list] = [
      ...before.filter((row: unknown) => !isRecord(row) || !replaced.has(String(row['id']))),
      ...put,
    ]
  }
  return readWorld(next)
}

function listsIn(json: Record<string, unknown>, field: string): [string, readonly unknown[]][] {
  const lists = json[field] ?? {}
  if (!isRecord(lists)) throw new WorldError(field, 'must be an object of lists')
  return Object.entries(lists).map(([list, rows]) => {
    if (!Array.isArray(rows)) throw new WorldError(`${field}.${list}`, 'must be a list')
    return [list, rows]
  })
}
