import { StrangeAnswer } from './guarded-client.ts'

/** The fields that every object of a list has. */
export type Listed = { id: string; object: string; created?: unknown }

function isListed(value: unknown): value is Listed {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'object' in value &&
    typeof value.object === 'string'
  )
}

/**
 * The objects of a list answer, and whether more follow. Throws StrangeAnswer for anything else: an error page,
 * other objects, or an empty page that claims to have more.
 */
export function readList(answer: unknown, object: string): { objects: Listed[]; hasMore: boolean } {
  if (typeof answer !== 'object' || answer === null || !('object' in answer) || answer.object !== 'list')
    throw new StrangeAnswer('something else than a list')
  const data = 'data' in answer ? answer.data : undefined
  const hasMore = 'has_more' in answer ? answer.has_more : undefined
  if (!Array.isArray(data) || typeof hasMore !== 'boolean')
    throw new StrangeAnswer('a list without its parts')
  const objects = data.filter(isListed)
  if (objects.length < data.length || objects.some((entry) => entry.object !== object))
    throw new StrangeAnswer(`a list of something else than ${object}`)
  if (hasMore && objects.length === 0) throw new StrangeAnswer('an empty page that more should follow')
  return { objects, hasMore }
}

const none: { has(id: string): boolean } = new Set()

/**
 * A page that continues after an object. Throws StrangeAnswer for a repeated page, which contains that object or
 * only `known` ones although more should follow. Such a page would look like the end of the list.
 */
export function readNextPage(answer: unknown, object: string, after: string | undefined, known = none) {
  const page = readList(answer, object)
  const isRepeated = page.objects.some(({ id }) => id === after)
  if (isRepeated || (page.hasMore && page.objects.every(({ id }) => known.has(id))))
    throw new StrangeAnswer('a page of a list that it had given before')
  return page
}

/** The object, if it is of that kind. */
export function readObject(answer: unknown, object: string): Listed {
  if (!isListed(answer) || answer.object !== object) throw new StrangeAnswer(`something else than ${object}`)
  return answer
}

/** Unix seconds of creation; 0 when the object does not contain it. */
export function createdOf(listed: Listed | undefined): number {
  return typeof listed?.created === 'number' && Number.isSafeInteger(listed.created) ? listed.created : 0
}
